// Assembles the WebAssembly of `src/select/lanes.ts`, which asks a forest about four rows at a time:
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

const [I32, F64, V128] = [0x7f, 0x7c, 0x7b];

// Parameters: addresses, in bytes, and how many trees there are.
const [SUMS, LEAVES, SHARED, LEFT, TREES] = [0, 1, 2, 3, 4];
const ROWS = [5, 6, 7, 8] as const;
const [BELOW, BELOW_END, ABOVE, ABOVE_END] = [9, 10, 11, 12];
// Locals.
const [AT, PLACE, TREE, FEATURE] = [13, 14, 15, 16];
const TOTALS = [17, 18, 19, 20] as const;
const [VALUES, NOES] = [21, 22];

const get = (local: number): Code => [0x20, leb(local)];
const set = (local: number): Code => [0x21, leb(local)];
const number = (value: number): Code => [0x41, leb(value)];
const ADD = 0x6a;
const SHIFT_LEFT = 0x74;
const LESS = 0x49;
const IS_ZERO = 0x45;
const LEADING_ZEROS = 0x67;
const ADD_F64 = 0xa0;
const PROMOTE = 0xbb;
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
const IS_LESS: Code = [0xfd, 0x43];
const IS_NOT_LESS: Code = [0xfd, 0x46];
const AND: Code = [0xfd, 0x4e];
const AND_NOT: Code = [0xfd, 0x4f];
const ANY: Code = [0xfd, 0x53];

/** Runs `body` while `condition` leaves something other than 0. */
const loopWhile = (condition: Code, body: Code): Code => [
	[0x02, 0x40, 0x03, 0x40],
	[condition, IS_ZERO, 0x0d, 1],
	[body, 0x0c, 0],
	[0x0b, 0x0b],
];
const advance = (local: number, step: number): Code => [get(local), number(step), ADD, set(local)];

/** Rules leaves out by the splits of the features from `start` to `end`: 8 bytes each, its place in a row and its splits. */
const ask = (start: number, end: number, saysNo: Code): Code =>
	loopWhile(
		[get(start), get(end), LESS],
		[
			[get(start), loadInt(0), set(FEATURE)],
			[get(ROWS[0]), get(FEATURE), ADD, spread(0), set(VALUES)],
			ROWS.slice(1).map(
				(row, i): Code => [
					[get(row), get(FEATURE), ADD],
					[get(VALUES), loadLane(i + 1), set(VALUES)],
				],
			),
			[get(start), loadInt(4), set(AT)],
			// A split has 12 bytes: its threshold, the place of its tree, and the leaves that go when the answer is no.
			loopWhile(
				[get(VALUES), get(AT), spread(0), saysNo, set(NOES), get(NOES), ANY],
				[
					[get(LEFT), get(AT), loadInt(4), ADD, set(PLACE)],
					[get(PLACE), get(PLACE), loadLanes, get(NOES), get(AT), spread(8), AND, AND_NOT, storeLanes],
					advance(AT, 12),
				],
			),
			advance(start, 8),
		],
	);

const body: Code = [
	// All leaves that the features common to all rows leave, in each lane.
	loopWhile(
		[get(TREE), get(TREES), LESS],
		[
			[get(LEFT), get(TREE), number(4), SHIFT_LEFT, ADD],
			[get(SHARED), get(TREE), number(2), SHIFT_LEFT, ADD, spread(0), storeLanes],
			advance(TREE, 1),
		],
	),
	ask(BELOW, BELOW_END, IS_NOT_LESS),
	ask(ABOVE, ABOVE_END, IS_LESS),
	// The first leaf left of each tree, in the order of the trees: the sums are those of one row at a time, to the bit.
	TOTALS.map((total, i): Code => [get(SUMS), loadDouble(8 * i), set(total)]),
	[number(0), set(TREE)],
	loopWhile(
		[get(TREE), get(TREES), LESS],
		[
			[get(LEFT), get(TREE), number(4), SHIFT_LEFT, ADD, loadLanes, set(VALUES)],
			TOTALS.map(
				(total, i): Code => [
					get(total),
					[get(LEAVES), get(VALUES), laneOf(i), LEADING_ZEROS, number(2), SHIFT_LEFT, ADD, loadFloat(0), PROMOTE],
					[ADD_F64, set(total)],
				],
			),
			advance(LEAVES, 4 * 32),
			advance(TREE, 1),
		],
	),
	TOTALS.map((total, i): Code => [get(SUMS), get(total), storeDouble(8 * i)]),
];

/** The module: imports a memory, exports `vote`. */
export function assembleLanes(): Uint8Array {
	const locals: Code = list([
		[4, I32],
		[4, F64],
		[2, V128],
	]);
	const code = flat([locals, body, 0x0b]);
	return Uint8Array.from(
		flat([
			[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
			section(1, list([[0x60, list(new Array<Code>(ABOVE_END + 1).fill([I32])), list([])]])),
			section(2, list([[name('m'), name('m'), 0x02, 0x00, 1]])),
			section(3, list([[0]])),
			section(7, list([[name('vote'), 0x00, 0]])),
			section(10, list([[leb(code.length), code]])),
		]),
	);
}

const target = fileURLToPath(new URL('../src/select/lanes-code.ts', import.meta.url));
export const lanesSource = (): string =>
	`// Written by scripts/forest-lanes.ts.\nexport const lanesCode =\n\t'${Buffer.from(assembleLanes()).toString('base64').replace(/=+$/, '')}';\n`;
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, lanesSource());
