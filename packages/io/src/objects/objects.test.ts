import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { all, objectStoreContract } from '../testing/object-store-contract.ts';
import { type S3Double, type S3Fault, startS3Double } from '../testing/s3-double.ts';
import { openObjectStore } from './open.ts';
import { formatPlace, parsePlace } from './place.ts';
import { loadS3 } from './s3-client.ts';
import type { ObjectStore, ObjectStoreTrouble } from './types.ts';

let s3: S3Double;
let folder: string;
let number = 0;
beforeAll(async () => {
	s3 = await startS3Double();
	folder = mkdtempSync(join(tmpdir(), 'objects-'));
});
beforeEach(() => {
	s3.fault = undefined;
	s3.requests.length = 0;
});
afterAll(async () => {
	await s3.close();
	rmSync(folder, { recursive: true, force: true });
});

const env = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
const openS3 = (bucket = 'bucket', patience = 5000, troubles: ObjectStoreTrouble[] = []): Promise<ObjectStore> =>
	openObjectStore(`s3://${bucket}/run${number++}?endpoint=${s3.endpoint}`, {
		patience,
		env,
		onTrouble: (trouble) => troubles.push(trouble),
	});

describe.each([
	['file:', () => openObjectStore(`file:${folder}/${number++}`)],
	['s3:', () => openS3()],
] as const)('%s', (_, open) => {
	it.each(Object.keys(objectStoreContract))('%s', async (name) => {
		const store = await open();
		await objectStoreContract[name]?.(store);
		store.close();
	});
});

/** Misbehaves in the first requests. */
const atFirst =
	(count: number, misdeed: ReturnType<S3Fault>): S3Fault =>
	(request) =>
		request.count <= count ? misdeed : undefined;

it.each([
	['SlowDown', { status: 503, code: 'SlowDown' }],
	['InternalError', { status: 500, code: 'InternalError' }],
	['a broken connection', 'reset'],
	['a truncated upload', 'truncate'],
	['a lost reply', 'lose-reply'],
	['a slow response', 'slow'],
] as const)('%s: the object is written all the same', async (_, misdeed) => {
	const store = await openS3();
	s3.fault = atFirst(2, misdeed);
	await store.put('x', Buffer.from('all of it'));
	s3.fault = undefined;
	expect(String(Buffer.from((await store.get('x')) ?? []))).toBe('all of it');
	expect(await all(store.list(''))).toHaveLength(1);
});

it('a lost reply to the last request of a large upload does not fail it', async () => {
	const store = await openS3();
	let lost = 0;
	s3.fault = ({ method }) => (method === 'POST' && ++lost === 2 ? 'lose-reply' : undefined);
	await store.put(
		'x',
		(async function* () {
			yield Buffer.alloc(9 << 20, 1);
		})(),
	);
	expect((await store.head('x'))?.size).toBe(9 << 20);
	expect(lost).toBe(3);
});

it('ETags of another kind are no error, and are looked at once', async () => {
	const store = await openS3();
	s3.fault = ({ method }) => (method === 'PUT' ? 'other-etag' : undefined);
	for (const key of ['a', 'b', 'c']) await store.put(key, Buffer.from(key));
	expect(s3.requests.map(({ method }) => method)).toEqual(['PUT', 'GET', 'PUT', 'PUT']);
});

it('reports a server that stays away, and that it is back', async () => {
	const troubles: ObjectStoreTrouble[] = [];
	const store = await openS3('bucket', 5000, troubles);
	s3.fault = atFirst(3, { status: 503, code: 'SlowDown' });
	await store.put('x', Buffer.from('x'));
	expect(troubles.map(({ state }) => state)).toEqual(['lost', 'back']);
	expect(troubles[0]?.detail).toContain('the server says SlowDown');
});

it.each([
	[
		'SlowDown without end',
		() => openS3('bucket', 50),
		{ status: 503, code: 'SlowDown' },
		'unreachable',
		/SlowDown.*same command again/,
	],
	['uploads that always break', () => openS3('bucket', 50), 'truncate', 'unreachable', /not what was sent/],
	['no rights', () => openS3(), { status: 403, code: 'AccessDenied' }, 'no-access', /may not write objects/],
	['a wrong key', () => openS3(), { status: 403, code: 'SignatureDoesNotMatch' }, 'no-access', /AWS_ACCESS_KEY_ID/],
	['an expired key', () => openS3(), { status: 400, code: 'ExpiredToken' }, 'no-access', /expired/],
	['another region', () => openS3(), { status: 400, code: 'AuthorizationHeaderMalformed' }, 'failed', /AWS_REGION/],
	['no bucket', () => openS3('gone'), undefined, 'no-bucket', /bucket gone does not exist: create it/],
] as const)('%s: ends with a sentence that names the place', async (_, open, misdeed, code, sentence) => {
	const store = await open();
	s3.fault = () => misdeed;
	const failure = await store.put('x', Buffer.from('x')).catch((error: unknown) => error);
	expect(failure).toMatchObject({ code, message: expect.stringMatching(sentence) });
	expect((failure as Error).message).toContain(store.place);
});

it('without the package, it says how to install it', async () => {
	const missing = Object.assign(new Error("Cannot find package '@aws-sdk/client-s3' imported from x"), {
		code: 'ERR_MODULE_NOT_FOUND',
	});
	const place = { kind: 's3', bucket: 'b', prefix: '' } as const;
	await expect(loadS3(place, () => Promise.reject(missing))).rejects.toMatchObject({
		code: 'package-missing',
		message: 's3://b needs the package @aws-sdk/client-s3: run npm install @aws-sdk/client-s3',
	});
});

it.each([
	['s3://bucket', 's3://bucket'],
	['s3://bucket/', 's3://bucket'],
	['S3://bucket/a/b/', 's3://bucket/a/b'],
	[
		's3://bucket/a?endpoint=http://127.0.0.1:9&region=eu&path-style=no',
		's3://bucket/a?endpoint=http://127.0.0.1:9&region=eu&path-style=no',
	],
	['file:a/b', 'file:/home/a/b'],
	['file:///a/b', 'file:/a/b'],
])('%s is %s', (written, place) => {
	expect(formatPlace(parsePlace(written, '/home'))).toBe(place);
	expect(formatPlace(parsePlace(place, '/'))).toBe(place);
});

it.each([
	['s3:bucket', /write s3:\/\/bucket\/prefix/],
	['s3://x', /cannot be the name of a bucket/],
	['s3://bucket?endpont=x', /unknown parameter endpont/],
	['s3://bucket?endpoint=x', /must be a URL/],
	['s3://bucket?path-style=1', /yes or no/],
	['gs://bucket', /write s3:/],
])('%s is refused', async (written, sentence) => {
	await expect(openObjectStore(written)).rejects.toMatchObject({
		code: 'bad-place',
		message: expect.stringMatching(sentence),
	});
});
