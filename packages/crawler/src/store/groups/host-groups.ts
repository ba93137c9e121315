import { createHash } from 'node:crypto';
import { registrableDomain } from '@wayleave/io/dns';

/** Hosts whose database is remembered. */
const maxRemembered = 10_000;

/**
 * Assigns hosts to databases by rendezvous hashing: the database with the highest hash for a name has it, so that all
 * processes agree without asking. All hosts of one registrable domain are together, since they link to each other most.
 */
export class HostGroups {
	readonly #ids: readonly string[];
	readonly #known = new Map<string, string>();

	/** @param ids of the databases, in any order */
	constructor(ids: readonly string[]) {
		this.#ids = ids;
	}

	/** The id of the database that has the URLs of a host. */
	ownerOf(host: string): string {
		const known = this.#known.get(host);
		if (known !== undefined) return known;
		const domain = registrableDomain(host) ?? host;
		let owner = '';
		let highest = '';
		for (const id of this.#ids) {
			const hash = createHash('sha256').update(`${id}\n${domain}`).digest('hex');
			if (hash <= highest) continue;
			owner = id;
			highest = hash;
		}
		if (this.#known.size >= maxRemembered) this.#known.clear();
		this.#known.set(host, owner);
		return owner;
	}
}
