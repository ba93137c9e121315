import { ratio } from '../read/sums.ts';
import { rankOf } from '../read/title-block.ts';
import { declaredKinds } from './declared-shares.ts';
import type { Evidence } from './lexicon.ts';
import type { RowWriter } from './row-writer.ts';
import type { Survey } from './survey.ts';

/** The headings above a block, from the title of its part to the nearest. */
interface Outline {
	readonly min: number;
	readonly sum: number;
	/** Of the heading that speaks most against it: its level, and how many blocks ago it stood. */
	readonly level: number;
	readonly at: number;
}

/** The headings that a heading stands under, itself the last: those before it of higher rank. */
function outlineOf(level: number, at: number, words: Evidence, above: Outline | undefined): Outline {
	const isWorse = words.min < (above?.min ?? 0);
	return {
		min: Math.min(above?.min ?? 0, words.min),
		sum: (above?.sum ?? 0) + words.sum,
		level: isWorse ? level : (above?.level ?? 0),
		at: isWorse ? at : (above?.at ?? -1),
	};
}

/** The part of the page that a block is in, as the headings before it tell. */
export class Sections {
	readonly #surveyed: Survey;
	/** The last heading, or -1. */
	#heading = -1;
	/** How much of that heading the page's title says too. */
	#headingOverlap = -1;
	/** The headings in force, by their level. */
	readonly #outlines: (Outline | undefined)[] = [];
	#outline: Outline | undefined;

	constructor(surveyed: Survey) {
		this.#surveyed = surveyed;
	}

	write(out: RowWriter, i: number): void {
		const { blocks, evidence, runs, shares } = this.#surveyed;
		const heading = this.#heading;
		const outline = this.#outline;
		const above = heading < 0 ? undefined : evidence[heading]!;
		const own = shares.titles[i]!;
		out.add(own);
		out.add(heading < 0 ? 999 : i - heading);
		out.add(above?.sum ?? 0);
		out.add(above?.min ?? 0);
		out.add(heading < 0 ? 0 : rankOf(blocks[heading]!));
		out.add(heading < 0 ? -1 : ratio(blocks[heading]!.linked, blocks[heading]!.size.chars));
		out.add(this.#headingOverlap);
		out.add(outline?.min ?? 0);
		out.add(outline?.sum ?? 0);
		out.add(outline?.level ?? 0);
		out.add(outline === undefined || outline.at < 0 ? 999 : i - outline.at);
		out.add(runs[i]!);
		for (let kind = 0; kind < declaredKinds.length; kind++) out.add(shares.declared[i * declaredKinds.length + kind]!);
		const rank = rankOf(blocks[i]!);
		if (rank === 0) return;
		this.#enter(rank, i, evidence[i]!);
		this.#headingOverlap = own;
	}

	#enter(rank: number, i: number, words: Evidence): void {
		this.#heading = i;
		this.#outlines.length = Math.min(this.#outlines.length, rank);
		const above = this.#outlines.findLast((one) => one !== undefined);
		this.#outline = outlineOf(rank, i, words, above);
		this.#outlines[rank] = this.#outline;
	}
}
