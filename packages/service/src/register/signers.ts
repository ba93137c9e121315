import { createHash } from 'node:crypto';
import { publicFailure } from '@wayleave/io/http';
import { KeyDirectories, RequestVerifier } from '@wayleave/io/signatures';
import { botOf } from '../config/bot.ts';
import { ServiceError } from '../problems/problem.ts';
import { guardedFetcher } from '../routes/guarded-fetcher.ts';
import type { ServiceDeps } from '../routes/route-module.ts';

/** The signer of a request: the https origin that publishes the key. */
export interface Signer {
	readonly agent: string;
	readonly keyId: string;
}

/**
 * Identifies the signer of a request (Web Bot Auth, RFC 9421); undefined without a signature.
 *
 * @throws ServiceError `signature-invalid` if the signature is invalid or cannot be checked
 */
export type FindSigner = (request: Request, body: string) => Promise<Signer | undefined>;

export function signerFinder({
	background,
	config,
	clock,
}: Pick<ServiceDeps, 'background' | 'config' | 'clock'>): FindSigner {
	const { publicUrl } = config;
	const fetcher = guardedFetcher({ background, config }, botOf(config).userAgent);
	const directories = new KeyDirectories({ fetcher, now: () => clock.now() });
	const verifier = new RequestVerifier({
		directories,
		now: () => Math.floor(clock.now() / 1000),
		...(publicUrl !== undefined && { authorities: [new URL(publicUrl).host] }),
	});
	return async ({ method, url, headers }, body) => {
		if (!headers.has('signature-input') && !headers.has('signature')) return undefined;
		// A signature is for one host; without a public URL any site could pass on what was signed for it.
		if (publicUrl === undefined) throw refusal('this service has no public URL for which a signature could be made');
		const { pathname, search } = new URL(url);
		const target = new URL(pathname + search, publicUrl).href;
		const verdict = await verifier.verify({ method, url: target, header: (name) => headers.get(name) });
		if (verdict.outcome === 'absent') throw refusal('no signature has the tag web-bot-auth');
		if (verdict.outcome !== 'valid') throw refusal(publicFailure(verdict) ?? verdict.reason);
		if (!isDigestOf(headers.get('content-digest'), body)) throw refusal('Content-Digest is not that of the body');
		return { agent: verdict.agent, keyId: verdict.keyId };
	};
}

const refusal = (detail: string): ServiceError => new ServiceError('signature-invalid', { detail });

/** Whether a body matches its SHA-256 digest (RFC 9530), if it has one. */
function isDigestOf(field: string | null, body: string): boolean {
	const [, digest] = /(?:^|,)\s*sha-256=:([^:]*):/.exec(field ?? '') ?? [];
	return digest === undefined || digest === createHash('sha256').update(body).digest('base64');
}
