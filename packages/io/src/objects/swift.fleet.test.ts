import { DeleteBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectStoreContract } from '../testing/object-store-contract.ts';
import { hasSwift, type SwiftServer, startSwift } from '../testing/swift.ts';
import { openObjectStore } from './open.ts';

// A real server for objects: OpenStack Swift, by its door for the protocol of S3.
describe.skipIf(!hasSwift)('objects in OpenStack Swift (needs swift-proxy-server and memcached)', () => {
	let swift: SwiftServer;
	let client: S3Client;
	let number = 0;
	beforeAll(async () => {
		swift = await startSwift();
		const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = swift.owner;
		client = new S3Client({
			endpoint: swift.endpoint,
			region: 'us-east-1',
			forcePathStyle: true,
			credentials: { accessKeyId, secretAccessKey },
		});
		await swift.createBucket('bucket');
	});
	afterAll(() => swift.stop());

	const open = (bucket = 'bucket', env: Readonly<Record<string, string>> = swift.owner, patience = 30_000) =>
		openObjectStore(`s3://${bucket}/run${number++}?endpoint=${swift.endpoint}`, { env, patience });

	it.each(Object.keys(objectStoreContract))('%s', async (name) => {
		const store = await open();
		await objectStoreContract[name]?.(store);
		store.close();
	});

	it('a server that is killed and started again is waited for', async () => {
		const store = await open();
		await store.put('before', Buffer.from('before'));
		await swift.setDoor(false);
		const written = store.put('x', Buffer.from('x'));
		const read = store.get('before');
		await swift.setDoor(true);
		await written;
		expect(Buffer.from((await read) ?? []).toString()).toBe('before');
		expect(Buffer.from((await store.get('x')) ?? []).toString()).toBe('x');
	});

	it.each([
		['a stranger', () => open('bucket', swift.stranger), 'no-access', /these credentials may not write objects/],
		[
			'a wrong secret',
			() => open('bucket', { ...swift.owner, AWS_SECRET_ACCESS_KEY: 'x' }),
			'no-access',
			/SignatureDoesNotMatch/,
		],
		['no bucket', () => open('other-bucket'), 'no-bucket', /other-bucket does not exist/],
	] as const)('%s: ends with a sentence', async (_, start, code, sentence) => {
		const store = await start();
		await expect(store.put('x', Buffer.from('x'))).rejects.toMatchObject({
			code,
			message: expect.stringMatching(sentence),
		});
	});

	it('a bucket that goes while it is used ends with its name', async () => {
		await swift.createBucket('short-lived');
		const store = await open('short-lived');
		await store.put('x', Buffer.from('x'));
		await store.delete(['x']);
		await client.send(new DeleteBucketCommand({ Bucket: 'short-lived' }));
		await expect(store.put('y', Buffer.from('y'))).rejects.toMatchObject({ code: 'no-bucket' });
	});
});
