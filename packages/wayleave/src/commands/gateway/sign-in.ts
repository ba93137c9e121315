import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readNamed } from '../../shared/options/read-named.ts';
import { type Terminal, UsageError } from '../../terminal/command.ts';

/** The key in the environment, for containers that get secrets that way. */
const keyVariable = 'WAYLEAVE_DASHBOARD_KEY';

/** The key of the dashboard: from the named file, or the environment. @throws UsageError, FileError */
export function readDashboardKey(
	file: string | undefined,
	terminal: Pick<Terminal, 'cwd' | 'stdin' | 'env'>,
): string | undefined {
	const where = file === undefined ? keyVariable : `--dashboard-key ${file}`;
	const key = file === undefined ? terminal.env[keyVariable] : Buffer.from(readNamed(file, terminal)).toString();
	return key === undefined || key === '' ? undefined : checkedKey(key.trim(), where);
}

const minKeyLength = 20;

/** @throws UsageError for a key that could be guessed */
export function checkedKey(key: string, where: string, name = 'the key'): string {
	if (key.length >= minKeyLength && !/\s/.test(key)) return key;
	throw new UsageError(`${where}: ${name} needs at least ${minKeyLength} characters, without spaces`);
}

const base = '/.wayleave/';
const cookieName = 'wayleave-dashboard';
/** Milliseconds for which a browser stays signed in. */
const sessionLength = 12 * 3_600_000;
/** Wrong keys in a minute, from all callers together. */
const maxFailures = 10;
const maxBody = 4096;

/** Files of the page that asks for the key. */
const publicFiles = new Set(
	['sign-in', 'sign-in.html', 'sign-in.js', 'sign-in.css', 'icon.svg'].map((name) => base + name),
);

/**
 * Lets in callers on this machine, and others that signed in with the key. A caller that a proxy on this machine forwards
 * is on another one.
 *
 * @param key undefined: only this machine is let in
 * @returns a response for callers that are not let in; undefined for those that are
 */
export function createSignIn(
	key: string | undefined,
	now: () => number = Date.now,
): (request: IncomingMessage) => Promise<Response | undefined> {
	const secret = randomBytes(32);
	const failures: number[] = [];
	const sessionUntil = (until: number): string =>
		`${until}.${createHmac('sha256', secret).update(String(until)).digest('base64url')}`;
	const isSignedIn = (request: IncomingMessage): boolean => {
		const token = cookieOf(request);
		const until = Number(token?.split('.', 1)[0]);
		return token !== undefined && until > now() && isSame(token, sessionUntil(until));
	};
	const signIn = async (request: IncomingMessage): Promise<Response> => {
		const since = now() - 60_000;
		while (failures[0] !== undefined && failures[0] < since) failures.shift();
		if (failures.length >= maxFailures) return problem(429, 'too many wrong keys: wait a minute');
		if (key === undefined || !isSame(await keyIn(request), key)) {
			failures.push(now());
			return problem(403, 'the key is wrong: it is in the file or variable that the gateway was started with');
		}
		const secure = request.headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
		const session = sessionUntil(now() + sessionLength);
		const cookie = `${cookieName}=${session}; Path=${base}; HttpOnly; SameSite=Strict; Max-Age=${sessionLength / 1000}${secure}`;
		return Response.json({ signedIn: true }, { headers: { 'set-cookie': cookie, 'cache-control': 'no-store' } });
	};
	return async (request) => {
		const [path = ''] = (request.url ?? '').split('?', 1);
		if (isLocal(request)) return undefined;
		if (key === undefined) return onlyLocal();
		if (publicFiles.has(path)) return undefined;
		if (path === `${base}api/sign-in` && request.method === 'POST') return signIn(request);
		if (isSignedIn(request)) return undefined;
		if (path.startsWith(`${base}api/`)) return problem(401, 'sign in first', { 'x-sign-in': 'needed' });
		return new Response(null, { status: 303, headers: { location: `${base}sign-in`, 'cache-control': 'no-store' } });
	};
}

function onlyLocal(): Response {
	return problem(
		403,
		`the dashboard is open to this machine only: start the gateway with --dashboard-key FILE, or set ${keyVariable}`,
	);
}

/** A proxy on this machine stands for other machines. */
export function isLocal({ socket, headers }: IncomingMessage): boolean {
	if (headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined) return false;
	const address = socket.remoteAddress?.replace(/^::ffff:/i, '') ?? '';
	return address === '::1' || address.startsWith('127.');
}

function cookieOf({ headers }: IncomingMessage): string | undefined {
	const pairs = headers.cookie?.split(/;\s*/) ?? [];
	return pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
}

/** Undefined where it is too large: what comes then is not kept. */
export async function readBody(request: IncomingMessage, max: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
	const parts: Buffer[] = [];
	let length = 0;
	for await (const part of request as AsyncIterable<Buffer>) {
		length += part.length;
		if (length <= max) parts.push(part);
		else if (length > 4 * max) return undefined;
	}
	return length > max ? undefined : new Uint8Array(Buffer.concat(parts));
}

/** The key in the JSON of a request; empty where there is none. */
async function keyIn(request: IncomingMessage): Promise<string> {
	const body = await readBody(request, maxBody);
	try {
		const { key } = JSON.parse(Buffer.from(body ?? []).toString()) as { key?: unknown };
		return typeof key === 'string' ? key : '';
	} catch {
		return '';
	}
}

/** In the same time for every text. */
function isSame(a: string, b: string): boolean {
	const [one, other] = [a, b].map((text) => createHash('sha256').update(text).digest());
	return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

function problem(status: number, title: string, more: Readonly<Record<string, string>> = {}): Response {
	const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...more };
	return new Response(JSON.stringify({ title, status }), { status, headers });
}
