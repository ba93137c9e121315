// JAFAR look-up: compileRanges beside a Map per prefix length and net.BlockList, in one run.
// Usage: npm run jafar (in this folder)
import { BlockList } from 'node:net';
import { compileRanges, parseCidr, type RangePrefix } from '@wayleave/protocols/jafar';
import { readAddress } from '../packages/protocols/src/jafar/address.ts';
import { race, showTable, showTime } from './measure.ts';

/** The same numbers in every run (mulberry32). */
function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

const random = seeded(1);
const upTo = (limit: number): number => Math.floor(random() * limit);

const octets = (word: number): string => [24, 16, 8, 0].map((shift) => (word >>> shift) & 255).join('.');
const groups = (words: readonly number[]): string =>
	words.flatMap((word) => [(word >>> 16).toString(16), (word & 0xffff).toString(16)]).join(':');

/** `words` without the bits behind `length`. */
function cut(words: readonly number[], length: number): number[] {
	return words.map((word, index) => {
		const bits = Math.max(0, Math.min(32, length - index * 32));
		return bits === 0 ? 0 : (word & (0xffffffff << (32 - bits))) >>> 0;
	});
}

/** An address in the networks where crawlers live: all of IPv4, and 2001:4860::/32 to 2001:487f::/32. */
const someAddress = (family: 4 | 6): number[] =>
	family === 4 ? [upTo(2 ** 32)] : [0x20014860 + upTo(32), upTo(2 ** 32), upTo(2 ** 32), upTo(2 ** 32)];
const show = (words: readonly number[]): string => (words.length === 1 ? octets(words[0]!) : groups(words));

function ranges(count: number, family: 4 | 6): RangePrefix[] {
	const found = new Map<string, RangePrefix>();
	while (found.size < count) {
		const length = family === 4 ? 16 + upTo(17) : 40 + upTo(25);
		const range = parseCidr(`${show(cut(someAddress(family), length))}/${length}`);
		if (typeof range === 'object') found.set(range.text, { range, services: [] });
	}
	return [...found.values()];
}

/** Half of them inside some range, half anywhere; always different strings. */
function addresses(prefixes: readonly RangePrefix[], count: number): string[] {
	return Array.from({ length: count }, (_, index) => {
		const { range } = prefixes[upTo(prefixes.length)]!;
		const anywhere = someAddress(range.family);
		if (index % 2 === 0) return show(anywhere);
		const tail = cut(anywhere, range.length);
		return show(range.words.map((word, at) => (word | (anywhere[at]! ^ tail[at]!)) >>> 0));
	});
}

/**
 * One Map for each prefix length, asked from the longest on: numbers as keys for IPv4, BigInts for IPv6.
 * It reads addresses as fast as the index does, so that the index alone makes the difference.
 */
function mapPerLength(prefixes: readonly RangePrefix[]): (address: string) => boolean {
	const four = new Map<number, Map<number, true>>();
	const six = new Map<number, Map<bigint, true>>();
	for (const { range } of prefixes) {
		const { length, words } = range;
		if (range.family === 4) four.set(length, (four.get(length) ?? new Map()).set(words[0]!, true));
		else six.set(length, (six.get(length) ?? new Map()).set(toBigInt(words) >> BigInt(128 - length), true));
	}
	const longest = <Key>(maps: Map<number, Map<Key, true>>) => [...maps].sort(([a], [b]) => b - a);
	const fours = longest(four).map(([length, map]) => ({ mask: (0xffffffff << (32 - length)) >>> 0, map }));
	const sixes = longest(six).map(([length, map]) => ({ shift: BigInt(128 - length), map }));
	const words = new Uint32Array(4);
	return (address) => {
		if (readAddress(address, words) === 4) {
			const word = words[0]!;
			for (const { mask, map } of fours) if (map.has((word & mask) >>> 0)) return true;
			return false;
		}
		const value = toBigInt(words);
		for (const { shift, map } of sixes) if (map.has(value >> shift)) return true;
		return false;
	};
}

function toBigInt(words: ArrayLike<number>): bigint {
	const high = (BigInt(words[0]!) << 32n) | BigInt(words[1]!);
	return (high << 64n) | (BigInt(words[2]!) << 32n) | BigInt(words[3]!);
}

/** The list that comes with Node. */
function blockList(prefixes: readonly RangePrefix[]): (address: string) => boolean {
	const list = new BlockList();
	for (const { range } of prefixes) {
		list.addSubnet(range.text.split('/')[0]!, range.length, range.family === 4 ? 'ipv4' : 'ipv6');
	}
	return (address) => list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

const rows = [['look-up (one address)', 'Map per length', 'net.BlockList', 'wayleave', 'vs Map', 'vs BlockList']];
const mixes = [
	{ name: '5,000 prefixes, IPv4 and IPv6', four: 2500, six: 2500 },
	{ name: '5,000 prefixes, IPv4', four: 5000, six: 0 },
	{ name: '5,000 prefixes, IPv6', four: 0, six: 5000 },
	{ name: '500 prefixes, IPv4 and IPv6', four: 250, six: 250 },
];
for (const { name, four, six } of mixes) {
	const prefixes = [...ranges(four, 4), ...ranges(six, 6)];
	const asked = addresses(prefixes, 4096);
	const index = compileRanges([{ prefixes }]);
	const maps = mapPerLength(prefixes);
	const list = blockList(prefixes);
	for (const address of asked) {
		const answers = [index.lookup(address).length > 0, maps(address), list(address)];
		if (new Set(answers).size > 1) throw new Error(`${address}: the contestants disagree (${answers.join(', ')})`);
	}
	const turns = { ours: 0, maps: 0, list: 0 };
	const next = (who: keyof typeof turns): string => asked[turns[who]++ & 4095]!;
	/** Sixteen look-ups a call, so that the clock and the turn weigh little. */
	const sixteen = (look: () => unknown) => () => {
		for (let count = 0; count < 16; count++) look();
	};
	const times = race({
		maps: sixteen(() => maps(next('maps'))),
		list: sixteen(() => list(next('list'))),
		ours: sixteen(() => index.lookup(next('ours'))),
	});
	const { maps: map, list: blocked, ours } = times;
	rows.push([
		name,
		showTime(map.median / 16),
		showTime(blocked.median / 16),
		showTime(ours.median / 16),
		`${(map.median / ours.median).toFixed(1)}×`,
		`${(blocked.median / ours.median).toFixed(0)}×`,
	]);
}

console.log(`Node ${process.version}; medians of 15 alternating rounds\n`);
console.log(showTable(rows));
