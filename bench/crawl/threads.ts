import { readdirSync, readFileSync } from 'node:fs';

/** Seconds of processor time. */
export interface ThreadTimes {
	/** All threads, those that have ended too. */
	readonly all: number;
	/** Of each thread that has been seen, by its number. */
	readonly threads: ReadonlyMap<number, number>;
}

/** Parts of a process that differ in what can be done about their cost. */
export const roles = ['main', 'readers', 'files', 'V8'] as const;
export type Role = (typeof roles)[number];
/** The threads that a contestant names; V8 runs all others. */
export type KnownThreads = Partial<Record<Role, readonly number[]>>;

/** Watches the threads of a process from outside. Linux keeps their times in `/proc`; elsewhere there are none. */
export class ThreadWatch {
	readonly #pid: number;
	readonly #threads = new Map<number, number>();
	readonly #timer: NodeJS.Timeout;

	constructor(pid: number) {
		this.#pid = pid;
		// A thread that ends takes its time with it: the last look at it counts.
		this.#timer = setInterval(() => this.look(), 100);
	}

	/** The times now; those of the last look where the process has ended. */
	look(): ThreadTimes {
		const folder = `/proc/${this.#pid}`;
		let all = 0;
		try {
			all = processSeconds(readFileSync(`${folder}/stat`, 'utf8'));
			for (const thread of readdirSync(`${folder}/task`))
				this.#threads.set(Number(thread), threadSeconds(readFileSync(`${folder}/task/${thread}/schedstat`, 'utf8')));
		} catch {
			// The process, or one of its threads, has just ended.
		}
		return { all, threads: new Map(this.#threads) };
	}

	stop(): ThreadTimes {
		clearInterval(this.#timer);
		return this.look();
	}
}

/** The first number of `schedstat` is nanoseconds on a processor. */
export const threadSeconds = (schedstat: string): number => Number(schedstat.split(' ', 1)[0]) / 1e9;

/** Of `/proc/PID/stat` the time of the process, which the kernel shows in hundredths of a second. */
export const processSeconds = (stat: string): number => ticks(stat, 11) / 100;
/** The same of its children that have ended. */
export const childSeconds = (stat: string): number => ticks(stat, 13) / 100;

/** User and system time. */
function ticks(stat: string, at: number): number {
	// The name of the process may have spaces and brackets; the third field follows the last bracket.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return Number(fields[at]) + Number(fields[at + 1]);
}

/** Seconds of each role between two looks. */
export function secondsByRole(
	pid: number,
	known: KnownThreads,
	from: ReadonlyMap<number, number>,
	to: ReadonlyMap<number, number>,
): Record<Role, number> {
	const sums: Record<Role, number> = { main: 0, readers: 0, files: 0, V8: 0 };
	const roleOf = (thread: number): Role =>
		thread === pid ? 'main' : (roles.find((role) => known[role]?.includes(thread)) ?? 'V8');
	for (const [thread, seconds] of to) sums[roleOf(thread)] += seconds - (from.get(thread) ?? 0);
	return sums;
}
