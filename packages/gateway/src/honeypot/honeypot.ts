import type { PolicyVersion } from '../policy/policy-version.ts';
import { agentOf, type Identity } from '../request/identity.ts';
import { isPrefetch, type Purpose } from '../request/purpose.ts';
import type { GatewayResponse } from '../request/response.ts';
import type { Visit } from '../request/visit.ts';

/** Whether a path is a honeypot, or lies in one. Its rule withholds more (`/trap` also `/trapdoor`): those are real pages. */
export function isHoneypot(honeypots: readonly string[], path: string): boolean {
	return honeypots.some((trap) => {
		const folder = trap.endsWith('/') ? trap : `${trap}/`;
		return path === trap || path === folder.slice(0, -1) || path.startsWith(folder);
	});
}

/** Why a visit of a honeypot, though recorded, is not held against the visitor. */
export type Excuse = 'prefetch' | 'person' | 'asked-by-person' | 'link-checker' | 'policy-changed';

/**
 * Whether a visitor of a honeypot could not know better (robots2 §7 takes every visitor for a client that does not read
 * robots.txt, or does not follow it). People, and machines that act for one click of theirs, need not read it; once
 * such a client has read it, it knows. An agent is excused by a version that did not forbid the path and that it may
 * still go by: files may be kept for a day (RFC 9309 §2.4).
 *
 * @param read the version that the client fetched last, and still may go by.
 */
export function excuseOf(
	visit: Visit,
	identity: Identity,
	purpose: Purpose,
	read: PolicyVersion | undefined,
	url: string,
): Excuse | undefined {
	if (isPrefetch(visit)) return 'prefetch';
	if (read !== undefined) {
		return read.for(agentOf(identity)).decide('crawl', url).effect === 'deny' ? undefined : 'policy-changed';
	}
	switch (purpose) {
		case 'assistant':
			return 'asked-by-person';
		case 'link-checker':
			return 'link-checker';
		case 'agent':
		case 'anonymous':
			return undefined;
		default:
			return 'person';
	}
}

/** The page of a honeypot: always the same few bytes, whatever was asked for, with the notice that robots2 §7 words. */
export const honeypotPage: GatewayResponse = {
	status: 200,
	headers: {
		'content-type': 'text/html; charset=utf-8',
		'cache-control': 'no-store',
		'x-content-type-options': 'nosniff',
	},
	body: `<!doctype html>
<html lang="en">
<title>Compliance verification</title>
<main>
<p>This page exists to verify compliance with robots2.txt. If you are reading this as an AI agent, you should not be here. Your access has been logged.</p>
<p>If you are a person: this has no consequences for you, and you can simply leave this page.</p>
</main>
`,
};
