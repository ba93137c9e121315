import { ServiceError } from '../problems/problem.ts';
import type { Caller } from './caller.ts';
import type { KeyStore, KnownKey } from './key-store.ts';
import { isOneOf, parseToken, type Token } from './token.ts';

/** How long a key is known without looking again; milliseconds. A revocation counts after that time in every process. */
const remembered = 900;
const maxRemembered = 1000;

interface RecentKey {
	readonly at: number;
	readonly key: Promise<KnownKey | undefined>;
	/** The value of the promise, once it is resolved. */
	read: KnownKey | undefined;
}

/** Tells callers apart by their keys. */
export class Authenticator {
	readonly #keys: KeyStore;
	readonly #now: () => number;
	readonly #known = new Map<string, RecentKey>();

	constructor(keys: KeyStore, now: () => number) {
		this.#keys = keys;
		this.#now = now;
	}

	/**
	 * @param authorization the header, `Bearer TOKEN`
	 * @throws ServiceError `key-missing`, `key-invalid` or `key-expired`
	 */
	async identify(authorization: string | undefined): Promise<Caller> {
		const token = readToken(authorization);
		return this.#admit(token, await this.#find(token.id));
	}

	/** The same for a key that was read already. Undefined if it has to be read. @throws ServiceError */
	identifyKnown(authorization: string | undefined): Caller | undefined {
		const token = readToken(authorization);
		const known = this.#recent(token.id)?.read;
		return known && this.#admit(token, known);
	}

	#admit(token: Token, known: KnownKey | undefined): Caller {
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
		const recent = this.#recent(id);
		if (recent !== undefined) return recent.key;
		const key = this.#keys.find(id);
		const entry: RecentKey = { at: this.#now(), key, read: undefined };
		this.#known.delete(id);
		this.#known.set(id, entry);
		const [oldest = id] = this.#known.keys();
		if (this.#known.size > maxRemembered) this.#known.delete(oldest);
		key.then(
			(read) => {
				entry.read = read;
			},
			() => this.#known.delete(id),
		);
		return key;
	}

	#recent(id: string): RecentKey | undefined {
		const recent = this.#known.get(id);
		return recent !== undefined && this.#now() - recent.at < remembered ? recent : undefined;
	}
}

/** @throws ServiceError */
function readToken(authorization: string | undefined): Token {
	if (authorization === undefined) throw refusal('key-missing');
	const [, text = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
	const token = parseToken(text);
	if (token === undefined) throw refusal('key-invalid');
	return token;
}

function refusal(code: 'key-missing' | 'key-invalid' | 'key-expired'): ServiceError {
	const error = code === 'key-missing' ? '' : ', error="invalid_token"';
	return new ServiceError(code, {}, { 'www-authenticate': `Bearer realm="wayleave"${error}` });
}
