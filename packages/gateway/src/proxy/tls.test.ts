import type http from 'node:http';
import { createServer } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import selfsigned from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { createGateway } from '../engine/gateway.ts';
import { createProxy, type ReverseProxy } from './server.ts';
import { createUpstream } from './upstream.ts';

let proxy: ReverseProxy;
let port: number;
let cert: string;
const site = createServer((request, response) => {
	if (request.url === '/early') response.writeEarlyHints({ link: '</a.css>; rel=preload' });
	response.end(`${request.headers['x-forwarded-proto']} ${request.headers.host} ${request.url}`);
});

beforeAll(async () => {
	const made = await selfsigned.generate([{ name: 'commonName', value: 'localhost' }]);
	cert = made.cert;
	await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
	const upstream = createUpstream(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
	const gateway = createGateway(checkConfig({ origin: 'https://localhost', paths: { disallow: ['/admin'] } }));
	proxy = createProxy({ gateway: () => gateway, upstream, tls: { key: made.private, cert } });
	port = (await proxy.listen(0, '127.0.0.1')).port;
});
afterAll(async () => {
	await proxy.close(200);
	await new Promise((resolve) => site.close(resolve).closeAllConnections());
});

describe('clients that come in by TLS', () => {
	const options = () => ({
		port,
		host: '127.0.0.1',
		servername: 'localhost',
		rejectUnauthorized: false,
		agent: false as const,
	});

	it('speak HTTP/1.1', async () => {
		const text = await new Promise((resolve, reject) => {
			const headers = { host: 'localhost', 'user-agent': 'x' };
			https
				.get({ ...options(), path: '/a', headers }, (response) => {
					response.on('data', (chunk) => resolve(String(chunk)));
				})
				.on('error', reject);
		});
		expect(text).toBe('https localhost /a');
	});

	it('or HTTP/2, and are judged alike', async () => {
		const client = http2.connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, servername: 'localhost' });
		const get = (path: string) =>
			new Promise<[number, string]>((resolve, reject) => {
				const stream = client.request({ ':path': path, ':authority': 'localhost', 'user-agent': 'GPTBot/1' });
				let status = 0;
				stream.on('response', (headers) => {
					status = headers[':status']!;
				});
				stream.on('data', (chunk) => resolve([status, String(chunk)]));
				stream.on('error', reject);
			});
		expect(await get('/a')).toEqual([200, 'https localhost /a']);
		expect((await get('/admin'))[0]).toBe(403);
		expect((await get('/a/../admin'))[0]).toBe(400);
		await new Promise<void>((resolve) => client.close(resolve));
	});

	it('get early hints of the site', async () => {
		const link = await new Promise((resolve, reject) => {
			const request = https.get({ ...options(), path: '/early', headers: { host: 'localhost', 'user-agent': 'x' } });
			request.on('information', (information: http.InformationEvent) => resolve(information.headers.link));
			request.on('error', reject);
		});
		expect(link).toBe('</a.css>; rel=preload');
	});
});
