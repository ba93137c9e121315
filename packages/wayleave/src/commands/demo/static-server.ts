import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, sep } from 'node:path';
import { createGuard, guarded } from '@wayleave/io/listen';

const mediaTypes: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.txt': 'text/plain; charset=utf-8',
	'.xml': 'application/xml; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.json': 'application/json',
};

interface Rule {
	to: string;
	status: number;
}

export interface ServeOptions {
	/** 0 = any free one. */
	port?: number;
	/** The origin that the files name; in what is served it is replaced by the address of this server. */
	origin?: string;
	/** Further host names that the server accepts. */
	allowHosts?: readonly string[] | undefined;
}

interface Site extends ServeOptions {
	root: string;
	rules: Map<string, Rule>;
	port: number;
}

export interface StaticServer {
	readonly port: number;
	close(): Promise<void>;
}

/**
 * Serves a folder the way a static host does: `index.html` of folders, ETag and 304, and a `_redirects` file
 * (`from to status` a line; a status without a place to go, such as 410, is answered as it is). Loopback only.
 */
export async function serveFolder(folder: string, options: ServeOptions = {}): Promise<StaticServer> {
	const root = realpathSync(folder);
	const site: Site = { root, rules: readRules(join(root, '_redirects')), port: 0, ...options };
	const guard = createGuard({ allowHosts: options.allowHosts });
	const server = createServer(guarded(guard, (request, response) => answer(site, request, response)));
	server.listen(site.port, '127.0.0.1');
	await once(server, 'listening');
	site.port = (server.address() as AddressInfo).port;
	return {
		port: site.port,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function readRules(file: string): Map<string, Rule> {
	const rules = new Map<string, Rule>();
	if (!existsSync(file)) return rules;
	for (const line of readFileSync(file, 'utf8').split('\n')) {
		const [from, to, status] = line.replace(/#.*/, '').trim().split(/\s+/);
		if (from && to) rules.set(from, { to, status: Number(status ?? 301) });
	}
	return rules;
}

function answer(site: Site, request: IncomingMessage, response: ServerResponse): void {
	const { root, rules } = site;
	const path = decodePath(request.url ?? '/');
	const rule = path === undefined ? undefined : rules.get(path);
	if (rule !== undefined) {
		const headers = rule.status < 400 ? { location: rule.to } : undefined;
		response.writeHead(rule.status, headers).end();
		return;
	}
	const file = path === undefined ? undefined : fileOf(root, path);
	if (file === undefined) {
		response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Not found</h1>');
		return;
	}
	const type = mediaTypes[extname(file)] ?? 'application/octet-stream';
	const body = bodyOf(file, type, site);
	const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
	if (request.headers['if-none-match'] === etag) {
		response.writeHead(304, { etag }).end();
		return;
	}
	response.writeHead(200, { 'content-type': type, 'content-length': body.length, etag });
	response.end(request.method === 'HEAD' ? undefined : body);
}

function bodyOf(file: string, type: string, { origin, port }: Site): Buffer {
	const bytes = readFileSync(file);
	if (origin === undefined || !type.includes('charset')) return bytes;
	return Buffer.from(bytes.toString('utf8').replaceAll(origin, `http://127.0.0.1:${port}`));
}

function decodePath(target: string): string | undefined {
	try {
		return decodeURIComponent(target.replace(/[?#].*/, ''));
	} catch {
		return undefined;
	}
}

/** The file behind a path, or undefined; never one outside of the folder. */
function fileOf(root: string, path: string): string | undefined {
	const wanted = join(root, path.endsWith('/') ? `${path}index.html` : path);
	if (!wanted.startsWith(root + sep) || wanted.includes('\0')) return undefined;
	return existsSync(wanted) && statSync(wanted).isFile() ? wanted : undefined;
}
