import type { Box } from '../read/box.ts';
import { between, log, ratio, within } from '../read/sums.ts';
import { rankOf } from '../read/title-block.ts';
import type { RowWriter } from './row-writer.ts';
import type { Survey } from './survey.ts';

const steps = [-3, -2, -1, 1, 2, 3];
const reaches = [5, 15];
const noNeighbour = Float32Array.of(-1, -1, -1, 0, 0);
/** Values of a neighbour that do not depend on the asking block. */
const profile = 4;

/** So many boxes around a block are looked at. */
const levels = 6;
const noBox = Float32Array.of(-1, -1, -1, -1, -1, -1, -1, -1, 0, 0);
/** So much is measured of each. */
const measure = noBox.length;

const noHost = Float32Array.of(-1, -1, 0);

/** The surroundings of each block. Blocks share neighbours and boxes, so each is measured once. */
export class Surroundings {
	readonly #surveyed: Survey;
	readonly #profiles: Float32Array;
	readonly #ranks: readonly number[];
	/** By the index of the box, once a block has asked for it. */
	readonly #measures: Float32Array;
	readonly #isMeasured: Uint8Array;

	constructor(surveyed: Survey) {
		const { blocks, evidence } = surveyed;
		const boxes = surveyed.boxes.own.length;
		this.#surveyed = surveyed;
		this.#ranks = blocks.map(rankOf);
		this.#measures = new Float32Array(boxes * measure);
		this.#isMeasured = new Uint8Array(boxes);
		this.#profiles = new Float32Array(blocks.length * profile);
		for (let i = 0; i < blocks.length; i++) {
			const { size, linked } = blocks[i]!;
			this.#profiles[i * profile] = log(size.words);
			this.#profiles[i * profile + 1] = ratio(linked, size.chars);
			this.#profiles[i * profile + 2] = ratio(size.stops, size.words);
			this.#profiles[i * profile + 3] = evidence[i]!.sum;
		}
	}

	write(out: RowWriter, i: number): void {
		this.#writeNeighbours(out, i);
		this.#writeBoxes(out, i);
		this.#writeHosts(out, i);
	}

	#writeNeighbours(out: RowWriter, i: number): void {
		const { blocks, sums } = this.#surveyed;
		const { box } = blocks[i]!;
		const count = blocks.length;
		for (const step of steps) {
			const at = i + step;
			if (at < 0 || at >= count) {
				out.addAll(noNeighbour);
				continue;
			}
			const other = blocks[at]!.box;
			out.addFrom(this.#profiles, at * profile, profile);
			out.add(this.#ranks[at]! > 0 ? 1 : other === box ? 2 : other.parent === box.parent ? 3 : 0);
		}
		for (const reach of reaches) {
			const start = Math.max(0, i - reach);
			const end = Math.min(count, i + reach + 1);
			const words = between(sums.words, start, end);
			out.add(words / (end - start));
			out.add(ratio(between(sums.linked, start, end), between(sums.chars, start, end)));
			out.add(ratio(between(sums.prose, start, end), words));
		}
	}

	#writeBoxes(out: RowWriter, i: number): void {
		let level: Box | null = this.#surveyed.blocks[i]!.box;
		for (let up = 0; up < levels; up++) {
			if (up > 0 && level !== null) level = nextAround(level);
			if (level === null) out.addAll(noBox);
			else this.#writeBox(out, level);
		}
	}

	#writeBox(out: RowWriter, box: Box): void {
		if (this.#isMeasured[box.index] === 0) this.#measure(box);
		out.addFrom(this.#measures, box.index * measure, measure);
	}

	#measure(box: Box): void {
		const { blocks, boxes, sums } = this.#surveyed;
		const count = box.end - box.start;
		const words = within(sums.words, box);
		const into = this.#measures;
		let at = box.index * measure;
		into[at++] = log(words);
		into[at++] = ratio(within(sums.linked, box), within(sums.chars, box));
		into[at++] = ratio(within(sums.prose, box), sums.prose[blocks.length]!);
		into[at++] = words / count;
		into[at++] = ratio(within(sums.stops, box), words);
		into[at++] = ratio(within(sums.paragraphs, box), words);
		into[at++] = within(sums.entries, box) / count;
		into[at++] = within(sums.linking, box) / count;
		into[at++] = boxes.own[box.index]!.sum;
		into[at] = boxes.alike[box.index]!;
		this.#isMeasured[box.index] = 1;
	}

	#writeHosts(out: RowWriter, i: number): void {
		const { blocks, hosts } = this.#surveyed;
		const { box } = blocks[i]!;
		for (const host of hosts) {
			if (host === undefined) {
				out.addAll(noHost);
				continue;
			}
			const inside = i >= host.start && i < host.end;
			out.add(inside ? 1 : 0);
			out.add(inside ? box.depth - host.depth : -1);
			out.add(inside ? ratio(i - host.start, host.end - host.start) : i < host.start ? i - host.start : i - host.end);
		}
	}
}

/** The next box around a box that holds more: boxes with the same text are one box. */
function nextAround({ start, end, parent }: Box): Box | null {
	let level = parent;
	while (level !== null && level.start === start && level.end === end) level = level.parent;
	return level;
}
