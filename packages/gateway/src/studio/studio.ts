import { createHash, timingSafeEqual } from 'node:crypto';
import { pageHeaders, pageProblem as problem } from '@wayleave/io/listen';
import { FileError } from '@wayleave/io/messages';
import { z } from 'zod';
import { ConfigError } from '../config/load.ts';
import { type Config, configJsonSchema } from '../config/schema.ts';
import { type RunningGateway, restartFault } from '../running/open-gateway.ts';
import { type KeptVersion, maxNote, PolicyConflict, type PolicyFile } from './policy-file.ts';
import { previewOf, type Yielded, yieldOf } from './preview.ts';
import { replay } from './replay.ts';
import { SwitchFault, switchAccess } from './switch-access.ts';

export interface StudioOptions {
	readonly running: Pick<RunningGateway, 'gateway' | 'ledger' | 'own'>;
	/** The policy file; or, as a sentence, why there is none. */
	readonly file: PolicyFile | string;
	/** Makes a policy of the text of a file, as a start of the gateway would. @throws ConfigError */
	read(text: string): Config;
	/** Makes the gateway take over the file on disk. */
	reload(): Promise<void>;
	/** The key that publishing needs; or, as a sentence, why there is none. */
	readonly key: { readonly value: string } | string;
	/** Base path of the dashboard. Default `/.wayleave/`. */
	readonly base?: string;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
	/** Requests that a comparison replays at most. Default 100,000. */
	readonly maxRequests?: number;
}

/** Where a request comes from. */
export interface Peer {
	/** On this machine, or signed in: may read without the key. */
	readonly isLetIn: boolean;
}

/** What the studio starts with. */
export interface StudioState {
	readonly origin: string;
	/** The file on disk. Absent where there is none, or it cannot be read. */
	readonly file?: { readonly name: string; readonly text: string; readonly revision: string };
	/** Why nothing can be published, as a sentence. */
	readonly readOnly?: string;
	/** The files of the policy in force. */
	readonly live: Yielded;
	/** The JSON Schema of policy files. */
	readonly schema: unknown;
	readonly versions: readonly KeptVersion[];
}

/** Characters of a policy file: those of large sites have a few thousand. */
export const maxPolicyLength = 256 * 1024;
/** Bytes of a request body. */
export const maxStudioBody = 1024 * 1024;
const week = 7 * 86_400_000;

const text = z.string().max(maxPolicyLength, `a policy file has at most ${maxPolicyLength / 1024} KiB`);
const subject = z.strictObject({ kind: z.enum(['agent', 'category', 'operator']), name: z.string().min(1).max(200) });
const bodies = {
	preview: z.strictObject({ text }),
	switch: z.strictObject({
		text,
		subject,
		access: z.enum(['allow', 'limit', 'block']),
		paths: z
			.array(
				z
					.string()
					.max(1000)
					.regex(/^\/[^\s#]*$/, 'expected a path that begins with / and contains neither spaces nor #'),
			)
			.max(100)
			.optional(),
	}),
	compare: z.strictObject({ text, against: z.string().max(100).optional() }),
	publish: z.strictObject({
		text,
		base: z.string().max(100),
		note: z.string().max(maxNote, `a note has at most ${maxNote} characters`).default(''),
	}),
};
type Bodies = { [Name in keyof typeof bodies]: z.output<(typeof bodies)[Name]> };

/**
 * The policy studio of a gateway, below `api/studio/`: `state`, `versions/ID`, `preview`, `switch`, `compare` and
 * `publish`. Only `publish` changes anything, and only with the key; from another machine, everything needs the key.
 * Undefined for other paths.
 */
export function createStudio(options: StudioOptions): (request: Request, peer: Peer) => Promise<Response | undefined> {
	const studio = new Studio(options);
	const prefix = `${options.base ?? '/.wayleave/'}api/studio/`;
	return async (request, peer) => {
		const { pathname } = new URL(request.url);
		if (!pathname.startsWith(prefix)) return undefined;
		try {
			return await studio.respond(pathname.slice(prefix.length), request, peer);
		} catch (error) {
			return explained(error);
		}
	};
}

/** The response to an error that the operator can do something about. */
function explained(error: unknown): Response {
	if (error instanceof PolicyConflict) {
		return problem(409, error.message, { code: 'policy-changed', current: error.current });
	}
	if (error instanceof SwitchFault) return problem(422, error.message, { code: 'switch-refused' });
	if (error instanceof ConfigError) return problem(422, error.message, { code: 'policy-invalid' });
	if (error instanceof FileError) return problem(500, error.message, { code: error.code });
	const why = error instanceof Error ? error.message : String(error);
	return problem(503, `the studio cannot do this right now: ${why}; try again, and read the log of the gateway`);
}

class Studio {
	readonly #options: StudioOptions;
	readonly #now: () => number;
	#comparing = false;

	constructor(options: StudioOptions) {
		this.#options = options;
		this.#now = options.now ?? Date.now;
	}

	async respond(name: string, request: Request, { isLetIn }: Peer): Promise<Response> {
		const foreign = foreignFault(request);
		if (foreign !== undefined) return foreign;
		if (!isLetIn) {
			const refusal = this.#keyFault(request, 'from another machine, the studio needs its key');
			if (refusal !== undefined) return refusal;
		}
		const posts: Partial<Record<string, (body: never, request: Request) => Promise<Response>>> = {
			preview: async (body: Bodies['preview']) => Response.json(this.#preview(body.text), { headers: pageHeaders }),
			switch: async (body: Bodies['switch']) =>
				Response.json(switchAccess(body.text, body, this.#described(body.text)), { headers: pageHeaders }),
			compare: (body: Bodies['compare']) => this.#compare(body),
			publish: (body: Bodies['publish'], from: Request) => this.#publish(body, from),
		};
		const post = Object.hasOwn(posts, name) ? posts[name] : undefined;
		if (post !== undefined) {
			if (request.method !== 'POST') return problem(405, 'use POST', {}, { allow: 'POST' });
			const body = await bodyOf(name as keyof Bodies, request);
			return body instanceof Response ? body : post(body as never, request);
		}
		if (request.method !== 'GET' && request.method !== 'HEAD')
			return problem(405, 'use GET', {}, { allow: 'GET, HEAD' });
		if (name === 'state') return Response.json(this.#state(), { headers: pageHeaders });
		const [, id] = /^versions\/([\w-]+)$/.exec(name) ?? [];
		return id === undefined ? problem(404, 'the studio has no such resource') : this.#version(id);
	}

	#state(): StudioState {
		const { file, running, key } = this.#options;
		const { config } = running.gateway();
		const shared = { origin: config.origin, live: yieldOf(config, running.own()), schema: configJsonSchema() };
		if (typeof file === 'string') return { ...shared, readOnly: file, versions: [] };
		const why = file.readOnly() ?? (typeof key === 'string' ? key : undefined);
		return {
			...shared,
			file: { name: file.name, ...file.read() },
			...(why !== undefined && { readOnly: why }),
			versions: file.versions(),
		};
	}

	#version(id: string): Response {
		const { file } = this.#options;
		const found = typeof file === 'string' ? undefined : file.textOf(id);
		if (found === undefined)
			return problem(404, `there is no version ${id}: it may have been deleted as one of the oldest`);
		return Response.json({ id, text: found }, { headers: pageHeaders });
	}

	#preview(policy: string) {
		return previewOf(policy, this.#options.read, this.#options.running.own());
	}

	/** The agents that a policy describes itself; those of the policy in force where it cannot be read. */
	#described(policy: string): Config['identity']['agents'] {
		try {
			return this.#options.read(policy).identity.agents;
		} catch {
			return this.#options.running.gateway().config.identity.agents;
		}
	}

	async #compare({ text: policy, against }: Bodies['compare']): Promise<Response> {
		const { running, file, maxRequests } = this.#options;
		if (this.#comparing)
			return problem(429, 'another comparison is running: try again when it is done', { code: 'busy' });
		const after = this.#options.read(policy);
		let before = running.gateway().config;
		if (against !== undefined) {
			const kept = typeof file === 'string' ? undefined : file.textOf(against);
			if (kept === undefined) return problem(404, `there is no version ${against} to compare with`);
			before = this.#options.read(kept);
		}
		this.#comparing = true;
		try {
			const until = this.#now();
			await running.ledger.flush();
			const period = { since: until - week, until };
			const more = maxRequests === undefined ? {} : { maxRequests };
			const found = await replay({ db: running.ledger.db, period, before, after, own: running.own(), ...more });
			return Response.json(found, { headers: pageHeaders });
		} finally {
			this.#comparing = false;
		}
	}

	async #publish({ text: policy, base, note }: Bodies['publish'], request: Request): Promise<Response> {
		const refusal = this.#keyFault(request, 'publishing needs the key of the studio');
		if (refusal !== undefined) return refusal;
		const { file, running } = this.#options;
		const why = typeof file === 'string' ? file : file.readOnly();
		if (typeof file === 'string' || why !== undefined) return problem(403, String(why), { code: 'read-only' });
		const { problems } = this.#preview(policy);
		const [first, ...others] = problems.filter(({ severity }) => severity === 'error');
		if (first !== undefined) {
			const more = others.length === 0 ? '' : `; ${others.length} further ${others.length === 1 ? 'error' : 'errors'}`;
			const title = `not published, because line ${first.line} is wrong: ${first.sentence}${more}. Correct it and publish again.`;
			return problem(422, title, { code: 'policy-invalid', problems });
		}
		const fault = restartFault(running.gateway().config, this.#options.read(policy));
		if (fault !== undefined)
			return problem(422, `not published: ${fault}. Change it in ${file.name} by hand, and restart.`, {
				code: 'restart-needed',
			});
		const before = file.read();
		const after = await file.write(policy, base, note);
		try {
			await this.#options.reload();
		} catch (error) {
			const cause = error instanceof Error ? error.message : String(error);
			await file.write(before.text, after.revision, `restored: ${cause}`);
			return problem(
				500,
				`not published, and ${file.name} is as it was: the gateway cannot use the new policy: ${cause}`,
			);
		}
		const { version } = running.gateway().published().policyVersion;
		return Response.json({ revision: after.revision, version }, { headers: pageHeaders });
	}

	#keyFault(request: Request, need: string): Response | undefined {
		const { key } = this.#options;
		if (typeof key === 'string') return problem(403, `${need}, and it has none: ${key}`, { code: 'read-only' });
		const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
		if (given === undefined)
			return problem(
				401,
				`${need}: send it as Authorization: Bearer KEY`,
				{ code: 'key-missing' },
				{ 'www-authenticate': 'Bearer' },
			);
		if (isSame(given, key.value)) return undefined;
		return problem(
			401,
			'this is not the key of the studio: the start of the gateway says which file it is in',
			{
				code: 'key-invalid',
			},
			{ 'www-authenticate': 'Bearer error="invalid_token"' },
		);
	}
}

/** Takes the same time for every wrong key. */
function isSame(given: string, key: string): boolean {
	const hash = (value: string) => createHash('sha256').update(value).digest();
	return timingSafeEqual(hash(given), hash(key));
}

/** A page of another site may send requests here, and must neither read nor write. */
function foreignFault({ url, headers }: Request): Response | undefined {
	const site = headers.get('sec-fetch-site');
	const origin = headers.get('origin');
	const isOwnSite = site === null || site === 'same-origin' || site === 'none';
	const isOwnOrigin = origin === null || (URL.canParse(origin) && new URL(origin).host === new URL(url).host);
	if (isOwnSite && isOwnOrigin) return undefined;
	return problem(403, 'this request comes from a page of another site: open the studio at its own address', {
		code: 'origin-foreign',
	});
}

async function bodyOf<Name extends keyof Bodies>(name: Name, request: Request): Promise<Bodies[Name] | Response> {
	const type = request.headers.get('content-type') ?? '';
	if (!/^application\/json\s*(?:;|$)/i.test(type))
		return problem(415, 'send JSON, with Content-Type: application/json', { code: 'request-not-json' });
	const length = Number(request.headers.get('content-length') ?? 0);
	const body = length > maxStudioBody ? undefined : await request.text();
	if (body === undefined || body.length > maxStudioBody) return tooLarge();
	let value: unknown;
	try {
		value = JSON.parse(body);
	} catch {
		return problem(400, 'the body is not valid JSON', { code: 'request-not-json' });
	}
	const read = bodies[name].safeParse(value);
	if (read.success) return read.data as Bodies[Name];
	const [issue] = read.error.issues;
	return problem(400, `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'unexpected'}`, { code: 'bad-request' });
}

/** The refusal of a body that is too large. */
export function tooLarge(): Response {
	const most = maxStudioBody / 1024 / 1024;
	return problem(
		413,
		`the request is larger than ${most} MiB: a policy file has at most ${maxPolicyLength / 1024} KiB`,
		{
			code: 'request-too-large',
		},
	);
}
