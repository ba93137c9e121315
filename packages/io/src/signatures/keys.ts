import {
	constants,
	createHash,
	createPrivateKey,
	createPublicKey,
	generateKeyPairSync,
	type KeyObject,
	sign,
	verify,
} from 'node:crypto';

/** A public key as JSON Web Key: of Ed25519 (RFC 8037 §2), or of RSA for RSASSA-PSS (RFC 7518 §6.3.1). */
export type PublicJwk = (Ed25519Jwk | RsaJwk) & JwkTerms;

interface Ed25519Jwk {
	kty: 'OKP';
	crv: 'Ed25519';
	x: string;
}

interface RsaJwk {
	kty: 'RSA';
	n: string;
	e: string;
}

interface JwkTerms {
	/** RFC 7638 thumbprint. */
	kid?: string;
	/** The key signs from and until these times, seconds since 1970 (HTTP Message Signatures Directory draft §4). */
	nbf?: number;
	exp?: number;
}

/**
 * Signs, and verifies, what a signature covers. Those of `http-message-sig` are the same, but stand beside types of the
 * DOM, without which a program that checks the types of its packages would not compile.
 */
export interface Signer {
	readonly algorithm: string;
	sign(data: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

export interface Verifier {
	readonly algorithm: string;
	verify(data: Uint8Array, signature: Uint8Array): boolean | Promise<boolean>;
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
	if (key.asymmetricKeyType !== 'ed25519') throw new TypeError(`expected an Ed25519 key, not ${key.asymmetricKeyType}`);
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
		throw new TypeError('not a private key in PEM or JSON Web Key form', { cause });
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
		if (!isReadable(key)) continue;
		found.set(thumbprint(key), key);
		if (typeof key.kid === 'string' && !found.has(key.kid)) found.set(key.kid, key);
	}
	return found;
}

/** The keys of a key directory as `readKeyDirectory` finds them; none where the text is no directory. */
export function parseKeyDirectory(text: string): Map<string, PublicJwk> {
	return readKeyDirectory(text) ?? new Map();
}

/** Algorithms in which requests may be signed (RFC 9421 §3.3.1, §3.3.6). */
export const signatureAlgorithms = ['ed25519', 'rsa-pss-sha512'] as const;

export function verifierOf(jwk: PublicJwk): Verifier {
	if (jwk.kty === 'OKP') {
		const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' });
		return { algorithm: 'ed25519', verify: (data, signature) => verify(null, data, key, signature) };
	}
	const key = createPublicKey({ key: { kty: jwk.kty, n: jwk.n, e: jwk.e }, format: 'jwk' });
	const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 };
	return { algorithm: 'rsa-pss-sha512', verify: (data, signature) => verify('sha512', data, pss, signature) };
}

/**
 * Keys whose private half is printed in a standard, by RFC 7638 thumbprint: RFC 9421 appendix B.1.1, B.1.2 and B.1.4,
 * RFC 8037 appendix A.1, RFC 7638 §3.1. A signature by one of them proves nothing.
 */
export const printedKeys: ReadonlySet<string> = new Set([
	'BHj8s0GPnMEQtkaULIM-PLgEhLBbuGUQ1vMxmBWZzEo',
	'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA',
	'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
	'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
	'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
]);

/** Whether anybody can sign with this key, since its private half is printed in a standard. */
export function isPrintedKey(jwk: PublicJwk): boolean {
	return printedKeys.has(thumbprint(jwk));
}

/** RFC 7638: the members that the key needs, in the order of their names. */
export function thumbprint(jwk: PublicJwk): string {
	const needed = jwk.kty === 'OKP' ? { crv: jwk.crv, kty: jwk.kty, x: jwk.x } : { e: jwk.e, kty: jwk.kty, n: jwk.n };
	return createHash('sha256').update(JSON.stringify(needed)).digest('base64url');
}

function publicJwk(key: KeyObject): PublicJwk {
	const { x } = key.export({ format: 'jwk' });
	if (x === undefined) throw new Error('not an Ed25519 key');
	return { kty: 'OKP', crv: 'Ed25519', x };
}

function isReadable(key: unknown): key is PublicJwk {
	const { kty, crv, x, n, e, nbf, exp } = (key ?? {}) as Record<string, unknown>;
	const isTime = (value: unknown) => value === undefined || typeof value === 'number';
	if (!isTime(nbf) || !isTime(exp)) return false;
	if (kty === 'OKP') return crv === 'Ed25519' && typeof x === 'string' && /^[\w-]{43}$/.test(x);
	// 2,048 to 8,192 bits: what is shorter proves little, what is longer takes long.
	return (
		kty === 'RSA' &&
		typeof n === 'string' &&
		/^[\w-]{342,1366}$/.test(n) &&
		typeof e === 'string' &&
		/^[\w-]{2,6}$/.test(e)
	);
}
