import { setTimeout as sleep } from 'node:timers/promises';
import type { Outgoing } from '../frontier/outbox.ts';
import type { GroupMember } from '../sql/group-member.ts';

/** Milliseconds between two looks into an outbox that nothing was put into here; up to twice that. */
const lookInterval = 1500;

interface Tools {
	/** Of the database whose outbox it is. */
	readonly from: GroupMember;
	readonly memberOf: (id: string) => GroupMember | undefined;
}

/**
 * Carries the outbox of one database to the others: at least once, in the order of the commits. A row leaves the outbox
 * after the other database has committed it. While a database cannot be reached, the rows for it wait.
 */
export class Courier {
	readonly #tools: Tools;
	/** Databases that a delivery is under way to. */
	readonly #busy = new Set<string>();
	#timer: NodeJS.Timeout | undefined;
	#delivering: Promise<void> | undefined;
	#stopped = false;

	constructor(tools: Tools) {
		this.#tools = tools;
		this.#wait();
	}

	/** Something was put out. */
	notify(): void {
		if (this.#stopped) return;
		clearTimeout(this.#timer);
		this.#delivering ??= this.#deliverDue()
			.catch(() => false) // the database of the outbox is away, which its own crawl reports
			.then((again) => {
				this.#delivering = undefined;
				if (again) this.notify();
				else this.#wait();
			});
	}

	/** Resolves when nothing is under way from this outbox. */
	async stop(): Promise<void> {
		this.#stopped = true;
		clearTimeout(this.#timer);
		await this.#delivering;
	}

	#wait(): void {
		if (this.#stopped) return;
		this.#timer = setTimeout(() => this.notify(), lookInterval * (1 + Math.random()));
		this.#timer.unref();
	}

	/** Returns whether there may be more. */
	async #deliverDue(): Promise<boolean> {
		const rows = await this.#tools.from.take([...this.#busy]);
		const targets = [...new Set(rows.map(({ target }) => target))];
		const deliveries = targets.map((target) =>
			this.#deliver(
				rows.filter((row) => row.target === target),
				target,
			),
		);
		// A database that does not reply must not keep rows for the others.
		if (targets.length > 0) await Promise.race([Promise.all(deliveries), sleep(1000, undefined, { ref: false })]);
		return rows.length > 0 && this.#busy.size === 0;
	}

	async #deliver(rows: readonly Outgoing[], target: string): Promise<void> {
		this.#busy.add(target);
		try {
			const member = this.#tools.memberOf(target);
			if (member === undefined) return;
			await member.receive(rows.map(({ handover }) => handover));
			await this.#tools.from.drop(rows.map(({ id }) => id));
		} catch {
			// The rows are taken again later.
		} finally {
			this.#busy.delete(target);
		}
	}
}
