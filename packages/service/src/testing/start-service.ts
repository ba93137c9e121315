import type { Lookup } from '@wayleave/io/dns';
import type { ServiceOptions } from '../config/config.ts';
import type { NewKey } from '../keys/key-store.ts';
import { scopeNames } from '../keys/scopes.ts';
import { openService, type Service, type ServiceTools } from '../server/build-service.ts';
import { type Listening, listen } from '../server/listen.ts';
import { responseChecker } from './check-response.ts';

/** A service on the loopback. Every answer that `request` gives has been compared with the description. */
export interface TestService {
	readonly service: Service;
	/** Without a slash at the end. */
	readonly url: string;
	/** Makes a key and returns its token. */
	key(more?: Partial<NewKey>): Promise<string>;
	request(path: string, init?: RequestInit & { token?: string }): Promise<Response>;
	/** POSTs JSON. */
	post(path: string, body: unknown, init?: RequestInit & { token?: string }): Promise<Response>;
	close(): Promise<void>;
}

/** @param options default: nobody needs a key, hosts under `.test` may be private and want no pause */
export async function startService(options: ServiceOptions = {}, tools: ServiceTools = {}): Promise<TestService> {
	const service = await openService({ open: true, ...options }, tools);
	const listening: Listening = await listen(service, 0, '127.0.0.1');
	const url = `http://127.0.0.1:${listening.address.port}`;
	const check = responseChecker(service.description);
	const request: TestService['request'] = async (path, { token, ...init } = {}) => {
		const headers = new Headers(init.headers);
		if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
		const response = await fetch(url + path, { redirect: 'manual', ...init, headers });
		await check(init.method ?? 'GET', path, response.clone());
		return response;
	};
	return {
		service,
		url,
		async key(more = {}) {
			return (await service.keys.create({ name: 'test', scopes: scopeNames, ...more })).token;
		},
		request,
		post: (path, body, init = {}) => {
			const headers = { 'content-type': 'application/json', ...(init.headers as Record<string, string>) };
			return request(path, { method: 'POST', body: JSON.stringify(body), ...init, headers });
		},
		close: () => listening.close(0),
	};
}

/** What lets a service reach the sites of a test web: names that lead to the loopback, and no pause between requests. */
export function testSites(lookup: Lookup, ...hosts: string[]): NonNullable<ServiceOptions['fetching']> {
	return { lookup, privateHosts: hosts, ownSites: hosts, delay: 0 };
}
