import { createHash, timingSafeEqual } from 'node:crypto';
import { parseDictionary } from '@wayleave/protocols/headers';
import {
	component,
	createSignature,
	isSignatureError,
	type ResponseDescriptor,
	verifySignature,
} from 'http-message-sig';
import { type PublicJwk, type SigningKey, verifierOf } from './keys.ts';

/** A response that is or was signed as a whole: status, body and the URL that was asked. */
export interface SignedMessage {
	readonly status: number;
	/** The URL of the request, as the client sent it. */
	readonly targetUri: string;
	readonly body: Uint8Array;
}

export interface SignatureHeaders {
	readonly 'content-digest': string;
	readonly signature: string;
	readonly 'signature-input': string;
}

const components = ['content-digest', '@status', component('@target-uri', { req: true })];
const label = 'som';

/** Signs a response (RFC 9421 over RFC 9530 Content-Digest). `created` and `expires` are seconds since 1970. */
export async function signRepresentation(
	message: SignedMessage,
	key: SigningKey,
	times: { created: number; expires: number },
): Promise<SignatureHeaders> {
	const digest = contentDigest(message.body);
	const { signature, signatureInput } = await createSignature(descriptor(message, [['content-digest', digest]]), {
		label,
		components,
		parameters: { ...times, keyid: key.keyId, alg: 'ed25519' },
		signer: key.signer,
	});
	return { 'content-digest': digest, signature, 'signature-input': signatureInput };
}

/** `absent`: nothing was signed. `invalid`: a signature is there and does not hold; the document is to be refused. */
export type SignatureVerdict =
	| { readonly outcome: 'valid'; readonly keyId: string }
	| { readonly outcome: 'absent' }
	| { readonly outcome: 'invalid'; readonly detail: string };

/**
 * Checks the signature of a response: the digest of the body, then the signature by a key of the publisher.
 *
 * @param header gives a response header by lower-case name.
 * @param keyOf finds a key by its id; undefined when the publisher has no such key.
 * @param now seconds since 1970.
 */
export async function verifyRepresentation(
	message: SignedMessage,
	header: (name: string) => string | null | undefined,
	keyOf: (keyId: string) => Promise<PublicJwk | undefined>,
	now: number,
): Promise<SignatureVerdict> {
	const names = ['content-digest', 'signature', 'signature-input'] as const;
	const fields = names.flatMap((name): [string, string][] => {
		const value = header(name);
		return value === null || value === undefined ? [] : [[name, value]];
	});
	const has = (name: string) => fields.some(([one]) => one === name);
	if (!has('signature') && !has('signature-input')) return { outcome: 'absent' };
	const digest = header('content-digest') ?? undefined;
	if (digest === undefined) return { outcome: 'invalid', detail: 'the signature does not cover Content-Digest' };
	if (!digestHolds(digest, message.body)) {
		return { outcome: 'invalid', detail: 'the body does not match Content-Digest' };
	}
	try {
		const verified = await verifySignature(descriptor(message, fields), {
			policy: {
				algorithms: ['ed25519'],
				requiredComponents: components,
				requiredParameters: ['created', 'keyid'],
				clockSkew: 60,
				now,
			},
			async resolveVerifier({ parameters }) {
				const key = await keyOf(parameters.keyid ?? '');
				if (key === undefined) throw new Error(`the publisher has no key ${parameters.keyid}`);
				return verifierOf(key);
			},
		});
		return { outcome: 'valid', keyId: verified.parameters.keyid ?? '' };
	} catch (error) {
		if (!isSignatureError(error)) throw error;
		const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
		return { outcome: 'invalid', detail: `${error.message}${cause}` };
	}
}

/** `sha-256=:…:` (RFC 9530 §2). */
export function contentDigest(body: Uint8Array): string {
	return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
}

/** Whether one of the digests that we know is that of the body, and none of them is another. */
function digestHolds(field: string, body: Uint8Array): boolean {
	const dictionary = parseDictionary(field);
	let known = 0;
	for (const [name, algorithm] of [
		['sha-256', 'sha256'],
		['sha-512', 'sha512'],
	] as const) {
		const member = dictionary?.get(name);
		if (member?.type !== 'bytes') continue;
		known++;
		const digest = createHash(algorithm).update(body).digest();
		const claimed = Buffer.from(member.value);
		if (claimed.length !== digest.length || !timingSafeEqual(claimed, digest)) return false;
	}
	return known > 0;
}

function descriptor(message: SignedMessage, fields: readonly (readonly [string, string])[]): ResponseDescriptor {
	return {
		kind: 'response',
		status: message.status,
		fields: fields.map(([name, value]) => ({ name, value })),
		request: { kind: 'request', method: 'GET', targetUri: message.targetUri, fields: [] },
	};
}
