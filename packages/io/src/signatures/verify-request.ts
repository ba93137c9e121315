import { parseUrl } from '@wayleave/protocols/url';
import { type FieldOccurrence, isSignatureError, type RequestDescriptor, verifySignature } from 'http-message-sig';
import { directoryOrigin } from './agent-field.ts';
import type { KeyDirectories } from './directories.ts';
import { printedKeys, signatureAlgorithms } from './keys.ts';
import { ReplayCache } from './replay.ts';
import { type Candidate, coverage, readCandidates } from './request-candidates.ts';
import { invalid, type RequestVerdict, type SignedRequest } from './request-verdict.ts';

export interface RequestVerifierOptions {
	readonly directories: Pick<KeyDirectories, 'find'>;
	/** The hosts (`URL.host`) that are ours; a signature for another host is not for us. Default: any. */
	readonly authorities?: readonly string[];
	/** Seconds since 1970. */
	readonly now?: () => number;
	/** Accepts keys whose private half is printed in a standard: for tests. Default false. */
	readonly acceptPrintedKeys?: boolean;
	/** Nonces that are remembered. Default 100,000. */
	readonly maxNonces?: number;
}

/** How far apart clocks may be, and how long a signature may hold (Web Bot Auth: a day); seconds. */
const skew = 60;
const longest = 86_400;

/** Checks signatures by which agents identify themselves (Web Bot Auth, RFC 9421). */
export class RequestVerifier {
	readonly #options: RequestVerifierOptions;
	readonly #now: () => number;
	readonly #replays: ReplayCache;

	constructor(options: RequestVerifierOptions) {
		this.#options = options;
		this.#now = options.now ?? (() => Math.floor(Date.now() / 1000));
		this.#replays = new ReplayCache(options.maxNonces ?? 100_000);
	}

	/**
	 * Verifies the signatures of a request; never rejects. One valid signature is enough. A nonce is accepted once, so a
	 * request is verified once.
	 *
	 * @param prefer which agent (an https origin) is looked for, where several have signed.
	 */
	async verify(request: SignedRequest, prefer: (agent: string) => boolean = () => true): Promise<RequestVerdict> {
		const input = request.header('signature-input');
		if (!input) return { outcome: 'absent' };
		const candidates = readCandidates(input);
		if (candidates === undefined) return invalid('malformed', 'Signature-Input is malformed');
		const verdicts: RequestVerdict[] = [];
		for (const candidate of candidates) {
			const verdict = await this.#verifyOne(request, candidate);
			if (verdict.outcome === 'valid' && prefer(verdict.agent)) return verdict;
			verdicts.push(verdict);
		}
		const first = (outcome: RequestVerdict['outcome']) => verdicts.find((verdict) => verdict.outcome === outcome);
		return first('valid') ?? first('unverifiable') ?? first('invalid') ?? { outcome: 'absent' };
	}

	async #verifyOne(request: SignedRequest, candidate: Candidate): Promise<RequestVerdict> {
		const { label, components, created, expires, keyId, alg, nonce } = candidate;
		if (created === undefined || expires === undefined || keyId === undefined)
			return invalid('missing-parameter', 'created, expires and keyid are required');
		if (alg !== undefined && !signatureAlgorithms.some((known) => known === alg))
			return invalid('unsupported-algorithm', `the algorithm ${alg} is not supported`);

		const covered = coverage(request, candidate);
		if (typeof covered !== 'string') return covered;
		const time = this.#judgeTime(created, expires);
		if (time !== undefined) return { ...time, agent: covered };
		if (this.#isForeign(request.url)) return invalid('foreign-authority', 'signed for another host', covered);
		const origin = directoryOrigin(covered);
		if (origin === undefined) {
			const detail = 'Signature-Agent is not an https origin, whose key directory could be read';
			return { outcome: 'unverifiable', reason: 'no-agent', detail, agent: covered };
		}
		const key = await this.#options.directories.find(origin, keyId);
		if (key.result === 'missing') return invalid('unknown-key', key.detail, origin);
		if (key.result === 'unavailable')
			return { outcome: 'unverifiable', reason: 'directory-unavailable', detail: key.detail, agent: origin };
		if ((key.isPrinted || printedKeys.has(keyId)) && this.#options.acceptPrintedKeys !== true)
			return invalid('test-key', 'the private key is published in a standard', origin);
		try {
			await verifySignature(describe(request, components), {
				label,
				policy: {
					algorithms: [...signatureAlgorithms],
					requiredComponents: [],
					requiredParameters: ['created', 'expires', 'keyid', 'tag'],
					clockSkew: skew,
					now: this.#now(),
				},
				resolveVerifier: () => key.verifier,
			});
		} catch (error) {
			if (!isSignatureError(error)) throw error;
			const wrong = error.code === 'VerificationFailed';
			return invalid(wrong ? 'wrong-signature' : 'malformed', error.message, origin);
		}
		if (nonce !== undefined && !this.#replays.admit(`${origin} ${keyId} ${nonce}`, expires + skew, this.#now()))
			return invalid('replayed', 'the nonce was used before', origin);
		return { outcome: 'valid', agent: origin, keyId, label };
	}

	#judgeTime(created: number, expires: number) {
		const now = this.#now();
		if (created > now + skew) return invalid('not-yet-valid', `created ${created - now} s from now`);
		if (expires < now - skew) return invalid('expired', `expired ${now - expires} s ago`);
		if (expires < created) return invalid('malformed', 'expires before it is created');
		return expires - created > longest ? invalid('too-long', `valid for ${expires - created} s`) : undefined;
	}

	#isForeign(url: string): boolean {
		const { authorities } = this.#options;
		return authorities !== undefined && !(parseUrl(url) !== undefined && authorities.includes(new URL(url).host));
	}
}

/** The request with the fields that the signature covers, and its own. */
function describe(request: SignedRequest, components: Candidate['components']): RequestDescriptor {
	const names = new Set(['signature', 'signature-input']);
	for (const { value } of components) if (typeof value === 'string' && !value.startsWith('@')) names.add(value);
	const fields: FieldOccurrence[] = [];
	for (const name of names) {
		const value = request.header(name);
		if (value !== null && value !== undefined) fields.push({ name, value });
	}
	return { kind: 'request', method: request.method, targetUri: request.url, fields };
}
