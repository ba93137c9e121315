import {
	createHash,
	createPrivateKey,
	createPublicKey,
	generateKeyPairSync,
	type KeyObject,
	sign,
	verify,
} from 'node:crypto';
import type { Signer, Verifier } from 'http-message-sig';

/** A public Ed25519 key as JSON Web Key (RFC 8037 §2). */
export interface PublicJwk {
	kty: 'OKP';
	crv: 'Ed25519';
	x: string;
	/** RFC 7638 thumbprint. */
	kid?: string;
}

/** A key that signs; `keyId` is the RFC 7638 thumbprint of its public half. */
export interface SigningKey {
	readonly keyId: string;
	readonly jwk: PublicJwk;
	readonly signer: Signer;
}

/** Where a site publishes the keys that it signs with, and the type of what is there. */
export const keyDirectoryPath = '/.well-known/http-message-signatures-directory';
export const keyDirectoryType = 'application/http-message-signatures-directory+json';

/**
 * Reads a private Ed25519 key in PEM form.
 *
 * @throws TypeError when it is something else.
 */
export function loadSigningKey(pem: string): SigningKey {
	const key = createPrivateKey(pem);
	if (key.asymmetricKeyType !== 'ed25519')
		throw new TypeError(`an Ed25519 key is wanted, not ${key.asymmetricKeyType}`);
	const jwk = publicJwk(createPublicKey(key));
	const keyId = thumbprint(jwk);
	return {
		keyId,
		jwk: { ...jwk, kid: keyId },
		signer: { algorithm: 'ed25519', sign: (data) => sign(null, data, key) },
	};
}

/** A new private key in PEM form, for `loadSigningKey`. */
export function generateSigningKey(): string {
	return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The key directory that announces these keys (HTTP Message Signatures Directory draft §4). */
export function formatKeyDirectory(keys: readonly SigningKey[]): string {
	return JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
}

/** Finds keys by id in a key directory: by `kid`, or by the thumbprint where a key has none. Others are passed over. */
export function parseKeyDirectory(text: string): Map<string, PublicJwk> {
	const found = new Map<string, PublicJwk>();
	let data: unknown;
	try {
		data = JSON.parse(text);
	} catch {
		return found;
	}
	const keys = (data as { keys?: unknown } | null)?.keys;
	for (const key of Array.isArray(keys) ? keys : []) {
		if (!isEd25519(key)) continue;
		found.set(thumbprint(key), key);
		if (typeof key.kid === 'string' && !found.has(key.kid)) found.set(key.kid, key);
	}
	return found;
}

export function verifierOf(jwk: PublicJwk): Verifier {
	const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' });
	return { algorithm: 'ed25519', verify: (data, signature) => verify(null, data, key, signature) };
}

/** RFC 7638 with the members of RFC 8037 §2, in order. */
export function thumbprint({ crv, kty, x }: PublicJwk): string {
	return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
}

function publicJwk(key: KeyObject): PublicJwk {
	const { x } = key.export({ format: 'jwk' });
	return { kty: 'OKP', crv: 'Ed25519', x: x! };
}

function isEd25519(key: unknown): key is PublicJwk {
	const { kty, crv, x } = (key ?? {}) as Record<string, unknown>;
	return kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string' && /^[\w-]{43}$/.test(x);
}
