import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers a request in the place of the server; false: the server answers. */
export type S3Fault = (request: { method: string; path: string; count: number }) => S3Misdeed | undefined;

export type S3Misdeed =
	/** An error with this code and status. */
	| { readonly status: number; readonly code: string }
	/** The connection breaks before a response. */
	| 'reset'
	/** The object is stored without its last byte, and the ETag says so. */
	| 'truncate'
	/** All is well, but the ETag is not the MD5 of the object. */
	| 'other-etag'
	/** The request takes effect, and its response gets lost. */
	| 'lose-reply'
	/** The response comes after 300 ms. */
	| 'slow';

interface StoredObject {
	body: Buffer;
	at: number;
	/** As the request said. */
	type?: string | undefined;
	cacheControl?: string | undefined;
}

export interface S3Double {
	readonly endpoint: string;
	/** Key with its bucket → object. */
	readonly objects: Map<string, StoredObject>;
	readonly buckets: Set<string>;
	readonly requests: { method: string; path: string }[];
	fault: S3Fault | undefined;
	close(): Promise<void>;
}

/**
 * The part of the protocol of S3 that Wayleave uses, in memory, with faults on demand. The same cases run against a real
 * server in the fleet test.
 */
export async function startS3Double(): Promise<S3Double> {
	const uploads: Uploads = new Map();
	const server = createServer((request, response) => void respond(request, response));
	const double: S3Double = {
		endpoint: '',
		objects: new Map(),
		buckets: new Set(['bucket']),
		requests: [],
		fault: undefined,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const url = new URL(request.url ?? '/', 'http://s3.test');
		const call = { method: request.method ?? '', path: decodeURIComponent(url.pathname) };
		double.requests.push(call);
		const body = await bodyOf(request).catch(() => undefined);
		if (body === undefined) return;
		const misdeed = double.fault?.({ ...call, count: double.requests.length });
		if (misdeed === 'slow') await new Promise((resolve) => setTimeout(resolve, 300));
		if (typeof misdeed === 'object') sendError(response, misdeed.status, misdeed.code);
		else if (misdeed === 'reset') request.socket.destroy();
		else if (misdeed === 'lose-reply') {
			const nowhere = { writeHead: () => nowhere, end() {} } as unknown as ServerResponse;
			answer({ double, uploads, request, url, body, response: nowhere });
			request.socket.destroy();
		} else answer({ double, uploads, request, url, body, response, misdeed });
	}
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return Object.assign(double, { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** Parts by the number of their upload. */
type Uploads = Map<string, Map<number, Buffer>>;

interface Call {
	readonly double: S3Double;
	readonly uploads: Uploads;
	readonly request: IncomingMessage;
	readonly url: URL;
	readonly body: Buffer;
	readonly response: ServerResponse;
	readonly misdeed?: S3Misdeed | undefined;
}

function answer(call: Call): void {
	const { double, uploads, request, url, body, response } = call;
	const path = decodeURIComponent(url.pathname).slice(1);
	const [bucket = ''] = path.split('/');
	const md5 = request.headers['content-md5'];
	const upload = url.searchParams.get('uploadId');
	if (!/^AWS4-HMAC-SHA256 Credential=key\//.test(request.headers.authorization ?? ''))
		sendError(response, 403, 'InvalidAccessKeyId');
	else if (!double.buckets.has(bucket)) sendError(response, 404, 'NoSuchBucket');
	else if (md5 !== undefined && md5 !== createHash('md5').update(body).digest('base64'))
		sendError(response, 400, 'BadDigest');
	else if (upload !== null && !uploads.has(upload)) sendError(response, 404, 'NoSuchUpload');
	else if (request.method === 'POST') answerUpload(call, path, upload);
	else if (request.method === 'PUT') putObject(call, path, upload);
	else if (request.method === 'DELETE') {
		if (upload === null) double.objects.delete(path);
		else uploads.delete(upload);
		response.writeHead(204).end();
	} else if (url.searchParams.has('list-type')) sendList(response, double.objects, `${bucket}/`, url.searchParams);
	else sendObject(request, response, double.objects.get(path));
}

function answerUpload({ double, uploads, response }: Call, path: string, upload: string | null): void {
	if (upload === null) {
		const id = `upload${double.requests.length}`;
		uploads.set(id, new Map());
		sendXml(response, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
		return;
	}
	const parts = [...(uploads.get(upload) ?? [])].sort(([a], [b]) => a - b);
	double.objects.set(path, { body: Buffer.concat(parts.map(([, bytes]) => bytes)), at: Date.now() });
	uploads.delete(upload);
	sendXml(response, '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
}

function putObject(
	{ double, uploads, url, request, body, response, misdeed }: Call,
	path: string,
	upload: string | null,
): void {
	const stored = misdeed === 'truncate' ? body.subarray(0, -1) : body;
	const { 'content-type': type, 'cache-control': cacheControl } = request.headers;
	if (upload === null) double.objects.set(path, { body: stored, at: Date.now(), type, cacheControl });
	else uploads.get(upload)?.set(Number(url.searchParams.get('partNumber')), stored);
	const tag = createHash('md5')
		.update(misdeed === 'other-etag' ? 'other' : stored)
		.digest('hex');
	response.writeHead(200, { etag: `"${tag}"` }).end();
}

function sendObject(
	request: IncomingMessage,
	response: ServerResponse,
	found: { body: Buffer; at: number } | undefined,
): void {
	if (found === undefined) {
		if (request.method === 'HEAD') response.writeHead(404).end();
		else sendError(response, 404, 'NoSuchKey');
		return;
	}
	const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
	const part = from === undefined ? found.body : found.body.subarray(Number(from), Number(to) + 1);
	response.writeHead(from === undefined ? 200 : 206, {
		'content-length': part.length,
		'last-modified': new Date(found.at).toUTCString(),
	});
	response.end(request.method === 'HEAD' ? undefined : part);
}

/** Three at a time, so that every list has several pages. */
function sendList(
	response: ServerResponse,
	objects: S3Double['objects'],
	bucket: string,
	query: URLSearchParams,
): void {
	const after = query.get('continuation-token') ?? '';
	const prefix = `${bucket}${query.get('prefix') ?? ''}`;
	const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
	const page = keys.slice(0, 3).map((key) => {
		const { body, at } = objects.get(key) ?? { body: Buffer.alloc(0), at: 0 };
		return `<Contents><Key>${key.slice(bucket.length)}</Key><Size>${body.length}</Size><LastModified>${new Date(at).toISOString()}</LastModified></Contents>`;
	});
	const next = keys.length > 3 ? `<NextContinuationToken>${keys[2]}</NextContinuationToken>` : '';
	sendXml(response, `<ListBucketResult>${page.join('')}${next}</ListBucketResult>`);
}

function sendXml(response: ServerResponse, xml: string, status = 200): void {
	response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${xml}`);
}

const sendError = (response: ServerResponse, status: number, code: string): void =>
	sendXml(response, `<Error><Code>${code}</Code><Message>of the test</Message></Error>`, status);

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}
