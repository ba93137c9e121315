import { type Readable, type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zstdEmptyBlocks, zstdFrame, zstdZeros } from '../testing/hostile/zstd.ts';
import { contentDecoders } from './decode.ts';

async function decode(coding: string, pieces: readonly Uint8Array[]): Promise<Buffer> {
	const out: Buffer[] = [];
	const sink = new Writable({
		write(chunk: Buffer, _encoding, done) {
			out.push(chunk);
			done();
		},
	});
	const source = async function* () {
		for (const piece of pieces) yield Buffer.from(piece);
	};
	const stages = contentDecoders(coding.split(', '));
	await pipeline([source as unknown as Readable, ...stages, sink] as [Readable, ...Transform[], Writable]);
	return Buffer.concat(out);
}

/** The bytes in pieces that are cut at these shares of the whole. */
function cut(bytes: Uint8Array, shares: readonly number[]): Uint8Array[] {
	const places = [0, ...shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b), bytes.length];
	return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

const text = Array.from({ length: 100 }, (_, row) => `row ${row} of ${(row * 37) % 11}\n`).join('');
/** The text as `zstd -19` packs it. */
const realZstd = Buffer.from(
	'KLUv/WSvAxUGAKKOHxDApdjGcfuv2t29UyarjpssQVAYeGdXR7q5n68nF3dmVkbGsZutJhZ2ZVVFNcWXqyUVdWRURDR0oqkkFHRjU0Mz8/GwIxNz' +
		't9fp89/vKY+fzWXy+LZrMcNXa5U6fd1WGuWJSQnJyMVSSjHEvBAasUo6zvBCG3tKEBQGBgMDIG2oECB8PQOwFVQ6QASR8AMRQiphO1AfsA/YB9wD' +
		'ViPkIQ1bCIQdhGAFIoD9xyysBw/4AA1ukIMb5MQHaQA4Li0FQHuELg==',
	'base64',
);
const skippable = Uint8Array.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9]);

const packed: [coding: string, name: string, bytes: Uint8Array, content: string][] = [
	['gzip', 'one member', gzipSync(text), text],
	['gzip', 'three members', Buffer.concat([gzipSync(text), gzipSync(''), gzipSync(text)]), text + text],
	['gzip', 'a header with name, comment, extra field and checksum', withGzipHeader(), text],
	['gzip', 'zero padding after it', Buffer.concat([gzipSync(text), Buffer.alloc(600)]), text],
	['gzip', 'rubbish after it', Buffer.concat([gzipSync(text), Buffer.alloc(600, '\x1frubbish')]), text],
	['gzip', 'stored blocks', gzipSync(text, { level: 0 }), text],
	['x-gzip', 'one member', gzipSync(text), text],
	['deflate', 'the zlib format', deflateSync(text), text],
	['deflate', 'no header', deflateRawSync(text), text],
	['deflate', 'rubbish after it', Buffer.concat([deflateRawSync(text), Buffer.alloc(600, 'rubbish')]), text],
	['br', 'brotli', brotliCompressSync(text), text],
	['zstd', 'compressed blocks', realZstd, text],
	['zstd', 'stored blocks', zstdFrame(Buffer.from(text)), text],
	['zstd', 'run-length blocks', zstdZeros(300_000), '\0'.repeat(300_000)],
	[
		'zstd',
		'several frames and a skippable one',
		Buffer.concat([realZstd, skippable, zstdFrame(Buffer.from('x')), realZstd]),
		`${text}x${text}`,
	],
	['gzip, br, deflate', 'three codings', deflateSync(brotliCompressSync(gzipSync(text))), text],
];

function withGzipHeader(): Uint8Array {
	const plain = gzipSync(text);
	const extras = Buffer.concat([Buffer.from([2, 0, 1, 2]), Buffer.from('name\0comment\0'), Buffer.from([0, 0])]);
	const head = Buffer.from(plain.subarray(0, 10));
	head[3] = 2 | 4 | 8 | 16;
	return Buffer.concat([head, extras, plain.subarray(10)]);
}

describe('contentDecoders', () => {
	it.each(packed)('%s: %s', async (coding, _name, bytes, content) => {
		expect((await decode(coding, [bytes])).toString()).toBe(content);
	});

	it('the pieces in which the bytes come make no difference', async () => {
		const shares = fc.array(fc.float({ min: 0, max: Math.fround(0.99), noNaN: true }), { maxLength: 6 });
		const run = fc.asyncProperty(fc.constantFrom(...packed), shares, async ([coding, , bytes, content], places) => {
			expect((await decode(coding, cut(bytes, places))).toString()).toBe(content);
		});
		await fc.assert(run, { numRuns: 60 });
	});

	it.each(packed.filter(([, , bytes]) => bytes.length < 1000))(
		'%s: %s, byte by byte',
		async (coding, _name, bytes, content) => {
			const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
			expect((await decode(coding, pieces)).toString()).toBe(content);
		},
	);

	it.each([
		['gzip', gzipSync(text)],
		['deflate', deflateSync(text)],
		['deflate', deflateRawSync(text)],
		['br', brotliCompressSync(text)],
		['zstd', realZstd],
	] as const)('CB-139 %s cut anywhere is never taken for whole', async (coding, bytes) => {
		for (let length = 1; length < bytes.length; length += 7) {
			await expect(decode(coding, [bytes.subarray(0, length)]), `${length}`).rejects.toThrow();
		}
	});

	it.each([
		['gzip', 'a wrong checksum', Buffer.concat([gzipSync(text).subarray(0, -8), Buffer.alloc(8)])],
		['gzip', 'plain text', Buffer.from(text)],
		[
			'gzip',
			'a header without end',
			Buffer.concat([Buffer.from('1f8b0808000000000003', 'hex'), Buffer.alloc(100_000, 'x')]),
		],
		['deflate', 'plain text', Buffer.from(text)],
		['br', 'plain text', Buffer.from(text)],
		['zstd', 'plain text', Buffer.from(text)],
		[
			'zstd',
			'a window of two gigabytes',
			Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0, 21 << 3, 1, 0, 0, ...Array(20).fill(0)]),
		],
		['zstd', 'a hundred thousand blocks of nothing', zstdEmptyBlocks(100_000, 13)],
	])('%s: %s is refused', async (coding, _name, bytes) => {
		await expect(decode(coding, [bytes])).rejects.toThrow();
	});

	it.each(['none', 'utf-8', 'identity', 'text/html', ''])('the label %j names no coding', (label) => {
		expect(contentDecoders([label])).toEqual([]);
	});

	it.each(['compress', 'dcb', 'constructor, compress'])('%s cannot be undone', (codings) => {
		expect(() => contentDecoders(codings.split(', '))).toThrow(expect.objectContaining({ reason: 'bad-encoding' }));
	});

	it('names of Object.prototype are no codings', () => {
		expect(contentDecoders(['constructor', '__proto__', 'tostring'])).toEqual([]);
	});
});
