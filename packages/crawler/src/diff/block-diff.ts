import { joinBlocks, splitBlocks } from './blocks.ts';
import { type PairedBlocks, pairBlocks } from './pair-blocks.ts';

/**
 * One step from the old document to the new one. Steps come in the order of the new document. `from` is the number of a
 * block of the old document, from 0.
 */
export type DiffStep =
	/** `count` blocks of the old document, as they are. */
	| { readonly op: 'keep'; readonly from: number; readonly count: number }
	/** The same, from another place; `heading` is the one that they begin with. */
	| { readonly op: 'move'; readonly from: number; readonly count: number; readonly heading?: string }
	/** New blocks. */
	| { readonly op: 'insert'; readonly blocks: readonly string[] }
	/** Blocks of the old document that the new one lacks. */
	| { readonly op: 'delete'; readonly from: number; readonly old: readonly string[] }
	/** Both at one place. */
	| {
			readonly op: 'replace';
			readonly from: number;
			readonly old: readonly string[];
			readonly blocks: readonly string[];
	  };

/** How one document differs from another, block by block. JSON. */
export interface DocumentDiff {
	/** Blocks of the old document, and of the new one. */
	readonly blocks: readonly [before: number, after: number];
	/** Line breaks behind the last block, where they are not the same. */
	readonly end?: readonly [before: string, after: string];
	readonly steps: readonly DiffStep[];
}

/**
 * The difference of two Markdown documents by blocks; a section in another place is a `move`. `applyDiff` with the old
 * document returns the new one, character by character. Takes n log n steps for n blocks.
 */
export function diffDocuments(before: string, after: string): DocumentDiff {
	const [old, next] = [splitBlocks(before), splitBlocks(after)];
	const pairs = pairBlocks(old.blocks, next.blocks);
	return {
		blocks: [old.blocks.length, next.blocks.length],
		...(old.end !== next.end && { end: [old.end, next.end] }),
		steps: stepsOf(old.blocks, next.blocks, pairs),
	};
}

/** Whether the two documents were equal. */
export const isEmptyDiff = ({ end, steps }: DocumentDiff): boolean =>
	end === undefined && steps.every(({ op }) => op === 'keep');

class Steps {
	readonly steps: DiffStep[] = [];
	#from = 0;
	#old: string[] = [];
	#blocks: string[] = [];

	/** Whether new blocks wait for their step. */
	get inserts(): boolean {
		return this.#blocks.length > 0;
	}

	remove(at: number, block: string): void {
		// Blocks between may have moved away.
		if (this.#old.length > 0 && this.#from + this.#old.length !== at) this.flush();
		if (this.#old.length === 0) this.#from = at;
		this.#old.push(block);
	}

	insert(block: string): void {
		this.#blocks.push(block);
	}

	copy(op: 'keep' | 'move', from: number, block: string): void {
		this.flush();
		const last = this.steps.at(-1);
		if (last?.op === op && last.from + last.count === from) {
			this.steps[this.steps.length - 1] = { ...last, count: last.count + 1 };
			return;
		}
		const heading = op === 'move' ? /^#{1,6} +(.*)/.exec(block)?.[1] : undefined;
		this.steps.push({ op, from, count: 1, ...(heading !== undefined && { heading }) } as DiffStep);
	}

	flush(): void {
		const [old, blocks, from] = [this.#old, this.#blocks, this.#from];
		if (old.length > 0 && blocks.length > 0) this.steps.push({ op: 'replace', from, old, blocks });
		else if (old.length > 0) this.steps.push({ op: 'delete', from, old });
		else if (blocks.length > 0) this.steps.push({ op: 'insert', blocks });
		this.#old = [];
		this.#blocks = [];
	}
}

function stepsOf(
	old: readonly string[],
	next: readonly string[],
	{ sources, inPlace, used }: PairedBlocks,
): DiffStep[] {
	const steps = new Steps();
	let passed = 0;
	const removeUpTo = (end: number) => {
		for (; passed < end; passed++) if (used[passed] !== 1) steps.remove(passed, old[passed] as string);
	};
	for (const [at, block] of next.entries()) {
		const from = sources[at] ?? -1;
		if (from < 0) steps.insert(block);
		else if (inPlace[at] === 1) {
			removeUpTo(from);
			steps.copy('keep', from, block);
			passed = from + 1;
		} else {
			// Removals come before insertions at the same place.
			while (steps.inserts && passed < old.length && used[passed] !== 1) removeUpTo(passed + 1);
			steps.copy('move', from, block);
		}
	}
	removeUpTo(old.length);
	steps.flush();
	return steps.steps;
}

/**
 * The new document, from the old one and the difference.
 *
 * @throws Error if the difference was made from another document
 */
export function applyDiff(diff: DocumentDiff, before: string): string {
	const { blocks: old, end } = splitBlocks(before);
	const [count, newCount] = diff.blocks;
	if (old.length !== count) throw otherDocument(`it has ${old.length} blocks, not ${count}`);
	if (diff.end !== undefined && diff.end[0] !== end) throw otherDocument('it ends with other line breaks');
	const blocks: string[] = [];
	for (const step of diff.steps) {
		if (step.op === 'keep' || step.op === 'move') {
			if (step.from < 0 || step.from + step.count > old.length) throw otherDocument(`it has no block ${step.from}`);
			for (let at = 0; at < step.count; at++) blocks.push(old[step.from + at] as string);
			continue;
		}
		if (step.op !== 'insert')
			for (const [at, block] of step.old.entries())
				if (old[step.from + at] !== block) throw otherDocument(`its block ${step.from + at} is another one`);
		if (step.op !== 'delete') for (const block of step.blocks) blocks.push(block);
	}
	if (blocks.length !== newCount) throw otherDocument(`the steps give ${blocks.length} blocks, not ${newCount}`);
	return joinBlocks({ blocks, end: diff.end?.[1] ?? end });
}

const otherDocument = (detail: string): Error => new Error(`the difference was made from another document: ${detail}`);
