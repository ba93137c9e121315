import { createHash } from 'node:crypto';
import { formatKeyDirectory, keyDirectoryPath, keyDirectoryType, type SigningKey } from '@wayleave/io/signatures';
import { fileVocabularies } from '@wayleave/protocols/policy';
import { formatSomProof } from '@wayleave/protocols/som';
import type { ReadingPreset } from '@wayleave/protocols/url';
import type { Config } from '../config/schema.ts';
import { type GatewayResponse, problemResponse } from '../request/response.ts';
import type { Visit } from '../request/visit.ts';
import { formatLlmsTxt } from '../terms/llms.ts';
import { policiesOf, type Terms, termsOf } from '../terms/terms.ts';
import { createPolicyVersion, type PolicyVersion } from './policy-version.ts';

/** A file that is served as it is. */
export interface ServedFile {
	readonly type: string;
	readonly text: string;
	/** Strong: made of the bytes. */
	readonly etag: string;
}

/** The site's own files under names that we publish too. */
export interface OwnFiles {
	readonly robots?: string | Uint8Array;
	/** The server that the site says it is served by. */
	readonly server?: ReadingPreset | undefined;
	/** It has an llms.txt: that stands. */
	readonly llms?: boolean;
	/** Why its robots.txt could not be read: until it can, agents get 503 (RFC 9309 §2.3.1.4). */
	readonly unreadable?: string;
}

/** The files of a policy, and what they mean. */
export interface Published {
	readonly terms: Terms;
	readonly policyVersion: PolicyVersion;
	/** By path. */
	readonly files: ReadonlyMap<string, ServedFile>;
	/** Why the site is closed to agents: its own robots.txt could not be read. `edition` is without it then. */
	readonly closed?: string;
}

/** Paths that are never denied to anybody, ours or the site's (`docs/reference/gateway.md`). */
export const openPaths: ReadonlySet<string> = new Set([
	'/robots.txt',
	'/robots2.txt',
	'/llms.txt',
	...fileVocabularies.map(({ file }) => file.path),
	'/.well-known/robots2-ask',
	'/.well-known/pagedigest.json',
	'/.well-known/aiwebindex-verify.txt',
	'/.well-known/som-endpoint.txt',
	keyDirectoryPath,
]);

const plain = 'text/plain; charset=utf-8';

/** Makes all files of a policy. The same policy and own files give the same version. */
export function publishTerms(config: Config, own: OwnFiles, now: number, signingKey?: SigningKey): Published {
	const terms = termsOf(config, own.robots === undefined ? {} : { ownRobots: own.robots });
	// A robots2.txt that says nothing would still turn silence into no: there is none then.
	const robots2 = terms.silent ? undefined : terms.robots2;
	const version = hash(`${terms.robots}\0${robots2 ?? ''}`).slice(0, 16);
	const texts = { version, since: now, robots: terms.robots, robots2: robots2 ?? '' };
	const { robots2: said, ...others } = policiesOf(terms, config.origin);
	const policies = robots2 === undefined || said === undefined ? others : { ...others, robots2: said };
	const files = new Map<string, ServedFile>();
	const add = (path: string, type: string, text: string | undefined) => {
		if (text !== undefined) files.set(path, { type, text, etag: `"${hash(text).slice(0, 22)}"` });
	};
	add('/robots.txt', plain, terms.robots);
	add('/robots2.txt', plain, robots2);
	for (const { vocabulary, text } of terms.signals.files) add(vocabulary.file.path, vocabulary.file.mediaType, text);
	add('/.well-known/aiwebindex-verify.txt', plain, terms.verification);
	add('/.well-known/som-endpoint.txt', plain, foreignProof(config));
	if (config.publish.llmsTxt && own.llms !== true) add('/llms.txt', plain, llmsText(config, robots2 !== undefined));
	if (signingKey !== undefined) add(keyDirectoryPath, keyDirectoryType, formatKeyDirectory([signingKey]));
	const closed = own.unreadable;
	return { terms, policyVersion: createPolicyVersion(texts, policies), files, ...(closed !== undefined && { closed }) };
}

/** A file for one visitor: whole, unchanged, or without its body. An hour is short enough for a change of mind. */
export function respondWithFile(file: ServedFile, visit: Visit): GatewayResponse {
	if (visit.method !== 'GET' && visit.method !== 'HEAD') {
		return problemResponse(405, 'method-not-allowed', 'Use GET or HEAD', {}, { allow: 'GET, HEAD' });
	}
	const headers = { etag: file.etag, 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' };
	const known = visit.header('if-none-match')?.split(',') ?? [];
	if (known.some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === file.etag)) {
		return { status: 304, headers, body: '' };
	}
	return { status: 200, headers: { 'content-type': file.type, ...headers }, body: file.text };
}

function foreignProof({ origin, som }: Config): string | undefined {
	if (som === undefined) return undefined;
	const endpoint = new URL(som.endpoint, origin);
	const line = endpoint.origin === origin ? undefined : formatSomProof(endpoint.href);
	return line && `${line}\n`;
}

function llmsText({ origin, som, pagedigest }: Config, hasRobots2: boolean): string {
	const at = (path: string, title: string, description: string) => ({ url: `${origin}${path}`, title, description });
	const endpoint = som && new URL(som.endpoint, origin);
	return formatLlmsTxt({
		title: new URL(origin).host,
		// The endpoint alone is not a page, so it is named in words: a reader that follows links would get an error.
		...(endpoint !== undefined && {
			summary: `Pages are available as SOM or Markdown: request ${endpoint.origin === origin ? endpoint.pathname : endpoint.href}?url= followed by the percent-encoded address of the page.`,
		}),
		files: [
			at(hasRobots2 ? '/robots2.txt' : '/robots.txt', 'Terms', 'what agents may do with the pages of this site'),
			...(pagedigest === undefined
				? []
				: [at('/.well-known/pagedigest.json', 'What changed', 'revisions of all pages in one file')]),
		],
		pages: [],
	});
}

function hash(text: string): string {
	return createHash('sha256').update(text).digest('base64url');
}
