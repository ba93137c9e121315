import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { WARCRecord, WARCSerializer } from 'warcio';
import { type ReadWarcOptions, readWarc } from './read-warc.ts';

const record = (name: string, block = `block of ${name}`, length: number | string = Buffer.byteLength(block)) =>
	Buffer.from(
		`WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: urn:${name}\r\nContent-Length: ${length}\r\n\r\n${block}\r\n\r\n`,
	);

async function* pieces(bytes: Uint8Array, size: number) {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Names of what was read and, with their place, the codes of what could not be; the same in pieces of any size. */
async function read(bytes: Uint8Array, options: ReadWarcOptions = {}) {
	const read = async (size: number) => {
		const found: string[] = [];
		for await (const item of readWarc(pieces(bytes, size), options))
			found.push(
				'record' in item
					? `${item.record.fields.get('warc-target-uri')!.slice(4)} ${item.record.offset}`
					: `${item.problem.code} ${item.problem.offset}`,
			);
		return found;
	};
	const whole = await read(1 << 20);
	for (const size of [7, 1000]) expect(await read(size)).toEqual(whole);
	return whole;
}

const [a, b, c] = ['a', 'b', 'c'].map((name) => record(name));
const [za, zb, zc] = [a, b, c].map((bytes) => gzipSync(bytes!));
const concat = (...parts: (Buffer | string | undefined)[]) => Buffer.concat(parts.map((part) => Buffer.from(part!)));

describe('intact archives', () => {
	it('is read with its place, compressed or not', async () => {
		expect(await read(concat(a, b, c))).toEqual(['a 0', `b ${a!.length}`, `c ${a!.length + b!.length}`]);
		expect(await read(concat(za, zb, zc))).toEqual(['a 0', `b ${za!.length}`, `c ${za!.length + zb!.length}`]);
	});
	it('is read from one member for all, from members cut anywhere, and with a header of everything', async () => {
		expect(await read(gzipSync(concat(a, b)))).toEqual(['a 0', 'b 0']);
		const all = concat(a, b);
		const [first, second] = [gzipSync(all.subarray(0, 150)), gzipSync(all.subarray(150))];
		expect(await read(concat(first, second))).toEqual(['a 0', 'b 0']);
		const named = Buffer.concat([
			Buffer.from([0x1f, 0x8b, 8, 4 | 8 | 16, 0, 0, 0, 0, 0, 3, 2, 0, 1, 2]),
			Buffer.from('name\0comment\0'),
			za!.subarray(10),
		]);
		expect(await read(named)).toEqual(['a 0']);
	});
	it('of a record that is passed over only the fields are read', async () => {
		const wants = (_: string, fields: { get(name: string): string | undefined }) =>
			fields.get('warc-target-uri') !== 'urn:b';
		expect(await read(concat(za, zb, zc), { wants })).toHaveLength(2);
	});
	it('is read where lines end with a bare line feed, too (ClueWeb09)', async () => {
		const bare = (bytes: Buffer | undefined) => bytes!.toString().replaceAll('\r\n', '\n');
		expect(await read(concat(bare(a), bare(b), c))).toEqual([
			'a 0',
			expect.stringMatching(/^b /),
			expect.stringMatching(/^c /),
		]);
	});
	it('nothing is in an empty file, and blank lines are nothing', async () => {
		expect(await read(Buffer.alloc(0))).toEqual([]);
		expect(await read(concat('\r\n\r\n', a, '\r\n'))).toEqual(['a 4']);
	});
	it('of warcio is read', async () => {
		const options = {
			url: 'http://h.test/',
			date: '2026-11-28T00:00:00Z',
			type: 'response',
			warcVersion: 'WARC/1.1',
		} as const;
		async function* body() {
			yield Buffer.from('<p>hello');
		}
		const made = WARCRecord.create({ ...options, httpHeaders: { 'Content-Type': 'text/html' } }, body());
		const bytes = await WARCSerializer.serialize(made, { gzip: true });
		for await (const item of readWarc(pieces(bytes, 100)))
			expect('record' in item && Buffer.from(item.record.block).toString()).toMatch(
				/^HTTP\/1\.1 200 OK\r\n[\s\S]*<p>hello$/,
			);
	});
});

describe('reports damaged parts and reads the rest', () => {
	const flipped = (bytes: Buffer, at: number) => {
		const copy = Buffer.from(bytes);
		copy[at]! ^= 0xff;
		return copy;
	};
	const [first, second, third] = [0, za!.length, za!.length + zb!.length];
	it.each([
		['a checksum', flipped(zb!, zb!.length - 6), 'warc-compression-damaged'],
		['compressed data', flipped(zb!, 14), 'warc-compression-damaged'],
	])('%s in the middle of a file', async (_, damaged, code) => {
		expect(await read(concat(za, damaged, zc))).toEqual([`a ${first}`, `${code} ${second}`, `c ${third}`]);
	});
	it('bytes between members', async () => {
		const garbage = 'lost';
		expect(await read(concat(za, garbage, zc))).toEqual([
			'a 0',
			`warc-compression-damaged ${second}`,
			`c ${second + garbage.length}`,
		]);
	});
	it('a file that ends anywhere', async () => {
		for (const length of [3, 11, 40, zb!.length - 9, zb!.length - 1])
			expect(await read(concat(za, zb!.subarray(0, length)))).toEqual(['a 0', `warc-cut ${second}`]);
		expect(await read(concat(a, b!.subarray(0, 30)))).toEqual(['a 0', `warc-cut ${a!.length}`]);
		expect(await read(concat(a, b!.subarray(0, b!.length - 9)))).toEqual(['a 0', `warc-cut ${a!.length}`]);
	});
	it('a record that is longer or shorter than it says', async () => {
		for (const length of [5, 60]) {
			const liar = record('liar', 'twelve bytes', length);
			expect(await read(concat(a, liar, c))).toEqual([
				'a 0',
				`warc-malformed-record ${a!.length}`,
				`c ${a!.length + liar.length}`,
			]);
			const packed = gzipSync(liar);
			expect(await read(concat(za, packed, zc))).toEqual([
				'a 0',
				`warc-malformed-record ${second}`,
				`c ${second + packed.length}`,
			]);
		}
	});
	it.each([8, 9, 10, 11])('P2-200 a record of 12 bytes that says %d is read, with a problem', async (length) => {
		const liar = record('liar', 'twelve bytes', length);
		const at = a!.length;
		expect(await read(concat(a, liar, c))).toEqual([
			'a 0',
			`warc-wrong-length ${at}`,
			`liar ${at}`,
			`c ${at + liar.length}`,
		]);
		const blocks: string[] = [];
		for await (const item of readWarc(Readable.from([concat(liar, a)])))
			if ('record' in item) blocks.push(Buffer.from(item.record.block).toString());
		expect(blocks[0]).toBe('twelve bytes');
	});
	it('P2-200 also for the last record of the file', async () => {
		const liar = record('liar', 'twelve bytes', 11);
		expect(await read(concat(a, liar))).toEqual(['a 0', `warc-wrong-length ${a!.length}`, `liar ${a!.length}`]);
	});
	it.each(['no length', '-1', '1e3x'])('a record with the length %s', async (length) => {
		const liar = record('liar', 'x', length);
		expect(await read(concat(a, liar, c))).toEqual([
			'a 0',
			`warc-malformed-record ${a!.length}`,
			`c ${a!.length + liar.length}`,
		]);
	});
	it('files that are not archives', async () => {
		expect(await read(Buffer.from('<html>'))).toEqual(['warc-malformed-record 0']);
	});
	it('a record larger than what is read', async () => {
		const large = record('large', 'x'.repeat(2000));
		expect(await read(concat(za, gzipSync(large), zc), { maxBlock: 1000 })).toEqual([
			'a 0',
			`warc-record-too-large ${second}`,
			expect.stringMatching(/^c /),
		]);
	});
});

it('memory is flat: of a thousand times the records no more is kept', async () => {
	async function* endless() {
		for (let at = 0; at < 3000; at++) yield gzipSync(record('x', 'y'.repeat(10_000)));
	}
	let [records, kept] = [0, 0];
	for await (const item of readWarc(endless())) {
		records++;
		if ('record' in item) kept = Math.max(kept, item.record.block.buffer.byteLength);
	}
	expect([records, kept <= 1 << 17]).toEqual([3000, true]);
});
