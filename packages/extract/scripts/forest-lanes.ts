// Assembles the WebAssembly of `src/select/model/lanes.ts`, which asks a forest about four rows at a time:
//
//   npx tsx packages/extract/scripts/forest-lanes.ts
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Code = readonly (number | Code)[];

/** LEB128 of a small number. */
const leb = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)]);
const flat = (code: Code): number[] => code.flatMap((part) => (typeof part === 'number' ? [part] : flat(part)));
const section = (id: number, body: Code): Code => [id, leb(flat(body).length), body];
const list = (items: readonly Code[]): Code => [leb(items.length), items];
const name = (text: string): Code => list(Array.from(text, (char) => [char.charCodeAt(0)]));

const [i32, f64, v128] = [0x7f, 0x7c, 0x7b];

// Parameters: addresses, in bytes, and how many trees there are.
const [sums, leaves, shared, left, trees] = [0, 1, 2, 3, 4];
const rows = [5, 6, 7, 8] as const;
const [below, belowEnd, above, aboveEnd] = [9, 10, 11, 12];
// Locals.
const [at, place, tree, feature] = [13, 14, 15, 16];
const totals = [17, 18, 19, 20] as const;
const [values, noes] = [21, 22];

const get = (local: number): Code => [0x20, leb(local)];
const set = (local: number): Code => [0x21, leb(local)];
const number = (value: number): Code => [0x41, leb(value)];
const add = 0x6a;
const shiftLeft = 0x74;
const less = 0x49;
const isZero = 0x45;
const leadingZeros = 0x67;
const addF64 = 0xa0;
const promote = 0xbb;
const loadInt = (offset: number): Code => [0x28, 2, leb(offset)];
const loadFloat = (offset: number): Code => [0x2a, 2, leb(offset)];
const loadDouble = (offset: number): Code => [0x2b, 3, leb(offset)];
const storeDouble = (offset: number): Code => [0x39, 3, leb(offset)];
const loadLanes: Code = [0xfd, 0x00, 4, 0];
const storeLanes: Code = [0xfd, 0x0b, 4, 0];
/** One number in all four lanes. */
const spread = (offset: number): Code => [0xfd, 0x09, 2, leb(offset)];
const loadLane = (lane: number): Code => [0xfd, 0x56, 2, 0, lane];
const laneOf = (lane: number): Code => [0xfd, 0x1b, lane];
const isLess: Code = [0xfd, 0x43];
const isNotLess: Code = [0xfd, 0x46];
const and: Code = [0xfd, 0x4e];
const andNot: Code = [0xfd, 0x4f];
const any: Code = [0xfd, 0x53];

/** Runs `body` while `condition` leaves something other than 0. */
const loopWhile = (condition: Code, body: Code): Code => [
	[0x02, 0x40, 0x03, 0x40],
	[condition, isZero, 0x0d, 1],
	[body, 0x0c, 0],
	[0x0b, 0x0b],
];
const advance = (local: number, step: number): Code => [get(local), number(step), add, set(local)];

/** Rules leaves out by the splits of the features from `start` to `end`: 8 bytes each, its place in a row and its splits. */
const ask = (start: number, end: number, saysNo: Code): Code =>
	loopWhile(
		[get(start), get(end), less],
		[
			[get(start), loadInt(0), set(feature)],
			[get(rows[0]), get(feature), add, spread(0), set(values)],
			rows.slice(1).map(
				(row, i): Code => [
					[get(row), get(feature), add],
					[get(values), loadLane(i + 1), set(values)],
				],
			),
			[get(start), loadInt(4), set(at)],
			// A split has 12 bytes: its threshold, the place of its tree, and the leaves that go when the answer is no.
			loopWhile(
				[get(values), get(at), spread(0), saysNo, set(noes), get(noes), any],
				[
					[get(left), get(at), loadInt(4), add, set(place)],
					[get(place), get(place), loadLanes, get(noes), get(at), spread(8), and, andNot, storeLanes],
					advance(at, 12),
				],
			),
			advance(start, 8),
		],
	);

const body: Code = [
	// All leaves that the features common to all rows leave, in each lane.
	loopWhile(
		[get(tree), get(trees), less],
		[
			[get(left), get(tree), number(4), shiftLeft, add],
			[get(shared), get(tree), number(2), shiftLeft, add, spread(0), storeLanes],
			advance(tree, 1),
		],
	),
	ask(below, belowEnd, isNotLess),
	ask(above, aboveEnd, isLess),
	// The first leaf left of each tree, in the order of the trees: the sums are those of one row at a time, to the bit.
	totals.map((total, i): Code => [get(sums), loadDouble(8 * i), set(total)]),
	[number(0), set(tree)],
	loopWhile(
		[get(tree), get(trees), less],
		[
			[get(left), get(tree), number(4), shiftLeft, add, loadLanes, set(values)],
			totals.map(
				(total, i): Code => [
					get(total),
					[get(leaves), get(values), laneOf(i), leadingZeros, number(2), shiftLeft, add, loadFloat(0), promote],
					[addF64, set(total)],
				],
			),
			advance(leaves, 4 * 32),
			advance(tree, 1),
		],
	),
	totals.map((total, i): Code => [get(sums), get(total), storeDouble(8 * i)]),
];

/** The module: imports a memory, exports `vote`. */
export function assembleLanes(): Uint8Array {
	const locals: Code = list([
		[4, i32],
		[4, f64],
		[2, v128],
	]);
	const code = flat([locals, body, 0x0b]);
	return Uint8Array.from(
		flat([
			[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
			section(1, list([[0x60, list(new Array<Code>(aboveEnd + 1).fill([i32])), list([])]])),
			section(2, list([[name('m'), name('m'), 0x02, 0x00, 1]])),
			section(3, list([[0]])),
			section(7, list([[name('vote'), 0x00, 0]])),
			section(10, list([[leb(code.length), code]])),
		]),
	);
}

const target = fileURLToPath(new URL('../src/select/model/lanes-code.ts', import.meta.url));
export const lanesSource = (): string =>
	`// Written by scripts/forest-lanes.ts.\nexport const lanesCode =\n\t'${Buffer.from(assembleLanes()).toString('base64').replace(/=+$/, '')}';\n`;
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, lanesSource());
