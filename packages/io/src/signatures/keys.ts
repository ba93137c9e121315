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
	/** The key signs from and until these times, seconds since 1970 (HTTP Message Signatures Directory draft §4). */
	nbf?: number;
	exp?: number;
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
 * Reads a private Ed25519 key: in PEM form, or as a JSON Web Key (RFC 8037 §2, with `d`).
 *
 * @throws TypeError when it is something else.
 */
export function loadSigningKey(text: string): SigningKey {
	const key = readPrivateKey(text);
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

function readPrivateKey(text: string): KeyObject {
	try {
		return text.trimStart().startsWith('{')
			? createPrivateKey({ key: JSON.parse(text), format: 'jwk' })
			: createPrivateKey(text);
	} catch (cause) {
		throw new TypeError('this is no private key, neither in PEM form nor as a JSON Web Key', { cause });
	}
}

/** A new private key in PEM form, for `loadSigningKey`. */
export function generateSigningKey(): string {
	return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The key directory that announces these keys (HTTP Message Signatures Directory draft §4). */
export function formatKeyDirectory(keys: readonly SigningKey[]): string {
	return JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
}

/**
 * Finds keys by id in a key directory: by the thumbprint, and by `kid` where a key has one. Keys of other kinds, and
 * those behind the first `maxKeys`, are passed over. Undefined where the text is no key directory at all.
 */
export function readKeyDirectory(text: string, maxKeys = Number.POSITIVE_INFINITY): Map<string, PublicJwk> | undefined {
	let data: { keys?: unknown } | null;
	try {
		data = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (!Array.isArray(data?.keys)) return undefined;
	const found = new Map<string, PublicJwk>();
	for (const key of data.keys.slice(0, maxKeys)) {
		if (!isEd25519(key)) continue;
		found.set(thumbprint(key), key);
		if (typeof key.kid === 'string' && !found.has(key.kid)) found.set(key.kid, key);
	}
	return found;
}

/** The keys of a key directory as `readKeyDirectory` finds them; none where the text is no directory. */
export function parseKeyDirectory(text: string): Map<string, PublicJwk> {
	return readKeyDirectory(text) ?? new Map();
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
	const { kty, crv, x, nbf, exp } = (key ?? {}) as Record<string, unknown>;
	const isTime = (value: unknown) => value === undefined || typeof value === 'number';
	return (
		kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string' && /^[\w-]{43}$/.test(x) && isTime(nbf) && isTime(exp)
	);
}
