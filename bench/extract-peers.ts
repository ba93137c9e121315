// Libraries that find main content, ours among them: each works in a process of its own, which is ended when a page
// takes it too long. They live in bench/package.json, so that users never install them.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What a contestant finds in a page; empty strings where it finds nothing. */
export interface Found {
	/** The main content without markup, one line per block. */
	text: string;
	markdown: string;
	title: string;
	author: string;
	date: string;
}

const nothing: Found = { text: '', markdown: '', title: '', author: '', date: '' };
const childScript = fileURLToPath(new URL('extract-child.ts', import.meta.url));

/** A page that takes longer than this, in seconds of the clock, has nothing found in it. */
const limit = 30;

export class Contestant {
	readonly name: string;
	/** Pages on which it threw, and on which it was ended. */
	failed = 0;
	late = 0;
	private child: ChildProcess | undefined;

	constructor(name: string) {
		this.name = name;
	}

	async find(html: string, url: string): Promise<Found> {
		this.child ??= await start(this.name);
		const { child } = this;
		const answer = await within(limit, once(child, 'message'), () => child.send({ html, url }));
		if (answer === undefined) {
			this.late++;
			this.close();
			return nothing;
		}
		const [found] = answer as [Partial<Found> & { error?: string }];
		if (found.error !== undefined) {
			this.failed++;
			return nothing;
		}
		return { ...nothing, ...Object.fromEntries(Object.entries(found).filter(([, value]) => value)) };
	}

	close(): void {
		this.child?.kill('SIGKILL');
		this.child = undefined;
	}
}

async function start(name: string): Promise<ChildProcess> {
	const child = fork(childScript, [name]);
	await once(child, 'message');
	return child;
}

/** What `answer` becomes, or nothing after so many seconds. */
async function within<T>(seconds: number, answer: Promise<T>, ask: () => void): Promise<T | undefined> {
	let timer: NodeJS.Timeout | undefined;
	const end = new Promise<undefined>((resolve) => {
		timer = setTimeout(resolve, seconds * 1000, undefined);
	});
	ask();
	return Promise.race([answer, end]).finally(() => clearTimeout(timer));
}

/** What is worth saying of a run: nothing where all went well. */
export function mishaps(contestants: readonly Contestant[]): string[] {
	return contestants
		.filter(({ failed, late }) => failed + late > 0)
		.map(({ name, failed, late }) => `${name}: ${failed} pages failed, ${late} ended after ${limit} s`);
}
