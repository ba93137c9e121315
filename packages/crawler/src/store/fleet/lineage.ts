/** Where the history of the database is, as the server reports it. */
export interface DatabasePosition {
	/** Each promotion of a standby begins the next one. */
	readonly timeline: string;
	/** Bytes of its log so far. */
	readonly position: number;
	/** 1: a commit is on a standby too before it counts. */
	readonly synchronous: number;
}

/** A transaction as it begins: how many commits of this worker the database knows, this one included. */
export interface Fenced extends Partial<DatabasePosition> {
	readonly commits: number;
}

/**
 * The history of the database as one worker has seen it. A standby that was promoted may miss commits, and a backup that
 * was restored does: numbers of rows that the worker has read may then belong to other rows.
 */
export class Lineage {
	#seen: DatabasePosition | undefined;
	#commits = 0;

	/** @param seen undefined where the server does not tell */
	begin(seen: DatabasePosition | undefined): void {
		this.#seen = seen;
		this.#commits = 0;
	}

	/** A commit of this worker was confirmed. */
	confirm(commits: number): void {
		this.#commits = Math.max(this.#commits, commits);
	}

	/**
	 * Compares the database with what is known of it. A promoted standby is trusted if it was synchronous: no other worker
	 * saw a commit either before the standby had it.
	 *
	 * @returns a sentence if the database may miss commits
	 */
	compare({ commits, ...now }: Fenced): string | undefined {
		const missing = this.#commits - (commits - 1);
		const turned = this.#turned(now);
		if (missing > 0) {
			const what = missing === 1 ? 'the last commit' : `the last ${missing} commits`;
			return `the database went back in time${turned ?? ''}: ${what} of this worker ${missing === 1 ? 'is' : 'are'} lost, and these pages are requested again`;
		}
		if (turned !== undefined)
			return `another copy of the database took over${turned}: no commit of this worker is lost, those of others may be`;
		if (isPosition(now)) this.#seen = now;
		return undefined;
	}

	/** The same for a worker whose row is gone; undefined if its lease has just expired. */
	compareWithoutRow(now: DatabasePosition | undefined): string | undefined {
		const turned = now && this.#turned(now);
		if (turned === undefined) return undefined;
		return `the database went back in time${turned}, to before this worker began: its pages are requested again`;
	}

	#turned(now: Partial<DatabasePosition>): string | undefined {
		const seen = this.#seen;
		if (seen === undefined || !isPosition(now)) return undefined;
		if (now.timeline !== seen.timeline) {
			if (seen.synchronous === 1 && now.timeline > seen.timeline) return undefined;
			return ` (timeline ${Number.parseInt(seen.timeline, 16)} → ${Number.parseInt(now.timeline, 16)})`;
		}
		return now.position < seen.position ? ' (a backup was restored)' : undefined;
	}
}

const isPosition = (now: Partial<DatabasePosition>): now is DatabasePosition => now.timeline !== undefined;
