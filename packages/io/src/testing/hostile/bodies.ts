import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { type Behaviour, type Behaviours, failed, fetched } from './behaviour.ts';
import { page } from './site.ts';
import { zstdFrame, zstdZeros } from './zstd.ts';

const html = { 'Content-Type': 'text/html' };
const good = page('Well packed', 'This page was compressed on the way and is whole again.');
/** What every bomb unpacks to: four times the fetcher's limit. */
const bombBytes = 64 << 20;

/** The same page, content and all, in a coding that must be undone. */
function packed(does: string, coding: string, pack: (text: string) => Uint8Array): Behaviour {
	return {
		does,
		path: '/packed',
		fetch: 200,
		crawl: fetched('/packed'),
		serve: (exchange) => exchange.html(pack(good), { 'Content-Encoding': coding }),
	};
}

function bomb(coding: string, pack: () => Uint8Array): Behaviour {
	let bytes: Uint8Array | undefined;
	return {
		does: `sends ${coding} of a few kilobytes that unpacks to 64 MB`,
		path: '/bomb',
		fetch: 'too-large',
		crawl: failed('/bomb', 'too-large'),
		serve(exchange) {
			bytes ??= pack();
			exchange.html(bytes, { 'Content-Encoding': coding });
		},
	};
}

function broken(does: string, coding: string, fetch: 'truncated' | 'bad-encoding', bytes: () => Uint8Array): Behaviour {
	return {
		does,
		path: '/broken',
		fetch,
		crawl: failed('/broken', fetch),
		serve: (exchange) => exchange.html(bytes(), { 'Content-Encoding': coding }),
	};
}

/** Deflate of very many zeros, made of one piece again and again; it lacks an end, which nobody lives to see. */
function deflatedZeros(): Uint8Array {
	const piece = deflateRawSync(Buffer.alloc(1 << 20), { finishFlush: constants.Z_FULL_FLUSH });
	return Buffer.concat(Array(bombBytes >> 20).fill(piece));
}

const gzipZeros = () => Buffer.concat([Buffer.from('1f8b0800000000000003', 'hex'), deflatedZeros()]);
/** 64 MB of zeros, compressed once and for all: it takes a second. */
const brotliZeros = () =>
	Buffer.from(
		'cfffff7f002400e2b14072effff9ffff0f8004401c1680eefd3fffffff01900088c302d0bdffcfffff7f001200715800baf7ff',
		'hex',
	);

/** Hosts whose bodies are not what they seem. */
export const bodies: Behaviours = {
	'gzip.test': packed('sends gzip', 'gzip', gzipSync),
	'x-gzip.test': packed('calls gzip by its old name', 'X-GZip', gzipSync),
	'br.test': packed('sends br', 'br', (text) => brotliCompressSync(text)),
	'deflate.test': packed('sends deflate in the zlib format', 'deflate', deflateSync),
	'raw-deflate.test': packed('sends raw deflate', 'deflate', deflateRawSync),
	'zstd.test': packed('sends zstd, which was not offered', 'zstd', (text) => zstdFrame(Buffer.from(text))),
	'stacked.test': packed('sends gzip inside br', 'gzip, br', (text) => brotliCompressSync(gzipSync(text))),
	'label-none.test': packed('names a coding that is none', 'none', (text) => Buffer.from(text)),
	'trailing-garbage.test': packed('sends rubbish after the gzip stream', 'gzip', (text) =>
		Buffer.concat([gzipSync(text), Buffer.alloc(2000, 'rubbish')]),
	),

	'gzip-bomb.test': bomb('gzip', gzipZeros),
	'br-bomb.test': bomb('br', brotliZeros),
	'deflate-bomb.test': bomb('deflate', () => Buffer.concat([Buffer.from('789c', 'hex'), deflatedZeros()])),
	'zstd-bomb.test': bomb('zstd', () => zstdZeros(bombBytes)),
	'stacked-bomb.test': bomb('gzip, gzip', () => gzipSync(gzipZeros())),

	'gzip-cut.test': broken('cuts its gzip stream and frames it well', 'gzip', 'truncated', () =>
		gzipSync(good).subarray(0, -20),
	),
	'br-cut.test': broken('cuts its br stream', 'br', 'truncated', () => brotliCompressSync(good).subarray(0, -20)),
	'deflate-cut.test': broken('cuts its deflate stream', 'deflate', 'truncated', () =>
		deflateSync(good).subarray(0, -20),
	),
	'zstd-cut.test': broken('cuts its zstd frame', 'zstd', 'truncated', () =>
		zstdFrame(Buffer.from(good)).subarray(0, -20),
	),
	'not-gzip.test': broken('says gzip and sends plain text', 'gzip', 'bad-encoding', () => Buffer.from(good)),
	'gzip-garbage.test': broken('sends a gzip header and rubbish', 'gzip', 'bad-encoding', () =>
		Buffer.concat([gzipSync(good).subarray(0, 12), Buffer.alloc(500, 0xfe)]),
	),
	'many-codings.test': broken(
		'names twenty codings, one inside the other',
		Array(20).fill('gzip').join(', '),
		'bad-encoding',
		() => gzipSync(good),
	),
	'compress.test': broken('sends LZW, which nobody asked for', 'compress', 'bad-encoding', () =>
		Buffer.from([31, 157, 144]),
	),

	'announced-huge.test': {
		does: 'announces ten terabytes',
		path: '/huge',
		fetch: 'too-large',
		crawl: failed('/huge', 'too-large'),
		async serve(exchange) {
			exchange.head(200, { ...html, 'Content-Length': 10 ** 13 });
			await exchange.forever('<p>more</p>\n'.repeat(1000));
		},
	},
	'big-pdf.test': {
		does: 'streams a PDF of a gigabyte',
		path: '/report.pdf',
		fetch: 'too-large',
		crawl: failed('/report.pdf', 'too-large'),
		async serve(exchange) {
			exchange.head(200, { 'Content-Type': 'application/pdf', 'Transfer-Encoding': 'chunked' });
			exchange.write('5\r\n%PDF-\r\n');
			await exchange.forever(`10000\r\n${'\0'.repeat(0x10000)}\r\n`);
		},
	},
	'empty.test': {
		does: 'answers 200 with nothing in it, labelled gzip',
		path: '/empty',
		fetch: 200,
		crawl: failed('/empty', 'no-content'),
		serve: (exchange) => exchange.html('', { 'Content-Encoding': 'gzip' }),
	},
};
