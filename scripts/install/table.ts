import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One line of the table; `failure` if it failed. */
interface Row {
	readonly where: string;
	readonly what: string;
	readonly seconds: number;
	readonly failure?: string;
}

/** A prerequisite of rows, such as an installed project: done once, for the first row that needs it. */
export type Step = () => Promise<void>;

/** Runs rows, prints each when it ends, and all of them at the end. */
export class Table {
	readonly #rows: Row[] = [];
	readonly #kept: string;
	readonly #isWanted: RegExp;

	/**
	 * @param kept a folder that records the finished steps, for another run
	 * @param isWanted matches `WHERE: WHAT` of the rows to run
	 */
	constructor(kept: string, isWanted: RegExp) {
		this.#kept = kept;
		this.#isWanted = isWanted;
	}

	/** A step is a row as well. It runs if a row needs it or the pattern names it, and only once in a kept folder. */
	step(where: string, what: string, work: () => Promise<unknown>, ...needs: readonly Step[]): Step {
		const marker = join(this.#kept, `${where} ${what}`.replaceAll(/\W+/g, '-'));
		let done: Promise<void> | undefined;
		const once = async () => {
			if (existsSync(marker)) return;
			const failure = await this.#run(where, what, work, needs);
			if (failure !== undefined) throw new Error(`"${where}: ${what}" failed`);
			mkdirSync(this.#kept, { recursive: true });
			writeFileSync(marker, '');
		};
		return () => {
			done ??= once();
			return done;
		};
	}

	/** Runs one row. A failure does not stop the rows after it. */
	async row(where: string, what: string, work: () => Promise<unknown>, ...needs: readonly Step[]): Promise<void> {
		if (this.#isWanted.test(`${where}: ${what}`)) await this.#run(where, what, work, needs);
	}

	async #run(where: string, what: string, work: () => Promise<unknown>, needs: readonly Step[]) {
		let start = performance.now();
		let failure: string | undefined;
		try {
			for (const need of needs) await need();
			start = performance.now();
			await work();
		} catch (error) {
			failure = error instanceof Error ? error.message : String(error);
		}
		const row: Row = { where, what, seconds: (performance.now() - start) / 1000, ...(failure && { failure }) };
		this.#rows.push(row);
		console.log(`${row.failure === undefined ? 'ok  ' : 'FAIL'} ${seconds(row)} s  ${where}: ${what}`);
		if (failure !== undefined) console.log(`       ${failure}`);
		return failure;
	}

	/** Prints the table. @returns the number of failed rows */
	print(): number {
		const widest = Math.max(5, ...this.#rows.map(({ where }) => where.length));
		console.log(`\n${'where'.padEnd(widest)}  result      s  what`);
		for (const row of this.#rows) {
			const result = row.failure === undefined ? 'ok    ' : 'FAILED';
			console.log(`${row.where.padEnd(widest)}  ${result} ${seconds(row)}  ${row.what}`);
		}
		const failed = this.#rows.filter(({ failure }) => failure !== undefined).length;
		console.log(`\n${this.#rows.length - failed} rows passed, ${failed} failed`);
		return failed;
	}
}

const seconds = (row: Row) => row.seconds.toFixed(1).padStart(6);
