import { ServiceError } from '../problems/problem.ts';
import type { Caller } from './caller.ts';
import type { KeyStore, KnownKey } from './key-store.ts';
import { isOneOf, parseToken } from './token.ts';

/** How long a key is known without looking again; milliseconds. A revocation counts after that time in every process. */
const remembered = 900;
const maxRemembered = 1000;

/** Tells callers apart by their keys. */
export class Authenticator {
	readonly #keys: KeyStore;
	readonly #now: () => number;
	readonly #known = new Map<string, { at: number; key: Promise<KnownKey | undefined> }>();

	constructor(keys: KeyStore, now: () => number) {
		this.#keys = keys;
		this.#now = now;
	}

	/**
	 * @param authorization the header, `Bearer TOKEN`
	 * @throws ServiceError `key-missing`, `key-invalid` or `key-expired`
	 */
	async identify(authorization: string | undefined): Promise<Caller> {
		if (authorization === undefined) throw refusal('key-missing');
		const [, text = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
		const token = parseToken(text);
		if (token === undefined) throw refusal('key-invalid');
		const known = await this.#find(token.id);
		if (!isOneOf(token.secret, known?.hashes ?? []) || known === undefined || known.key.revokedAt !== undefined)
			throw refusal('key-invalid');
		const { id, scopes, rate, quota, expiresAt } = known.key;
		if (expiresAt !== undefined && expiresAt <= this.#now()) throw refusal('key-expired');
		const { bucket } = known;
		return {
			id,
			scopes: new Set(scopes),
			...(rate !== undefined && { rate }),
			...(bucket !== undefined && { bucket }),
			...(quota !== undefined && { quota }),
		};
	}

	#find(id: string): Promise<KnownKey | undefined> {
		const now = this.#now();
		const recent = this.#known.get(id);
		if (recent !== undefined && now - recent.at < remembered) return recent.key;
		const key = this.#keys.find(id);
		this.#known.delete(id);
		this.#known.set(id, { at: now, key });
		const [oldest = id] = this.#known.keys();
		if (this.#known.size > maxRemembered) this.#known.delete(oldest);
		key.catch(() => this.#known.delete(id));
		return key;
	}
}

function refusal(code: 'key-missing' | 'key-invalid' | 'key-expired'): ServiceError {
	const error = code === 'key-missing' ? '' : ', error="invalid_token"';
	return new ServiceError(code, {}, { 'www-authenticate': `Bearer realm="wayleave"${error}` });
}
