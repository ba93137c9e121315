import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * A token is `wl_ID_SECRET`. The id names the key and is no secret; the secret has 256 random bits, so that its plain
 * SHA-256 may be stored: there is nothing to guess that a slow hash would protect.
 */
export interface Token {
	readonly id: string;
	readonly secret: string;
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

export function newKeyId(): string {
	return Array.from(randomBytes(10), (byte) => alphabet[byte & 31]).join('');
}

export const newSecret = (): string => randomBytes(32).toString('base64url');

export const formatToken = ({ id, secret }: Token): string => `wl_${id}_${secret}`;

export function parseToken(text: string): Token | undefined {
	const [, id, secret] = /^wl_([0-9a-z]{10})_([\w-]{43})$/.exec(text) ?? [];
	return id === undefined || secret === undefined ? undefined : { id, secret };
}

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Whether a secret is one of those behind the hashes. How long that takes does not tell where they differ. */
export function isOneOf(secret: string, hashes: readonly string[]): boolean {
	const own = Buffer.from(hashSecret(secret));
	let found = false;
	for (const hash of hashes) {
		const other = Buffer.from(hash);
		if (other.length === own.length && timingSafeEqual(own, other)) found = true;
	}
	return found;
}
