import { migrate } from '@wayleave/io/sql';
import type { Kysely } from 'kysely';
import type { DomainCheck } from './check-domain.ts';
import { type SiteSchema, siteMigrations } from './schema.ts';
import { noPreferences, type Site, type SitePreferences, toSite } from './site.ts';
import { issueToken } from './token.ts';

/** Looks for the proof of a domain. */
export type CheckProof = (domain: string, tokens: readonly string[]) => Promise<DomainCheck>;

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** When a domain is looked at again; milliseconds. */
const pauses = {
	/** A proof that stands. */
	verified: 30 * day,
	/** A proof that was missed, or a check without a result. */
	missed: day,
	/** One that has just been registered: owners publish within the hour, or forget it. */
	pending: hour,
} as const;

/** A domain that is missed so often in a row has lapsed. */
const maxMisses = 3;
/** The registrar checks a domain that was never proven for this long. */
const pendingFor = 7 * day;

interface Tools {
	readonly db: Kysely<unknown>;
	readonly now: () => number;
	readonly check: CheckProof;
}

/** Owners of domains, by public proof (AIWebIndex §5). */
export class Registrar {
	readonly #db: Kysely<SiteSchema>;
	readonly #now: () => number;
	readonly #check: CheckProof;
	readonly #checking = new Map<string, Promise<Site | undefined>>();

	private constructor({ db, now, check }: Tools) {
		this.#db = db as Kysely<SiteSchema>;
		this.#now = now;
		this.#check = check;
	}

	static async open(tools: Tools): Promise<Registrar> {
		await migrate(tools.db, siteMigrations, { component: 'service-sites' });
		return new Registrar(tools);
	}

	/** Issues a new token, each time it is asked (AWI-76); a proof that stands goes on until the next check. */
	async register(domain: string, owner: string): Promise<Site> {
		const now = this.#now();
		const token = issueToken();
		const fresh = { token, next_check: now + pauses.pending };
		await this.#db
			.insertInto('service_site')
			.values({
				domain,
				owner,
				...fresh,
				proven_token: null,
				method: null,
				registered_at: now,
				verified_at: null,
				lapsed_at: null,
				checked_at: null,
				misses: 0,
				last_check: null,
				preferences: JSON.stringify(noPreferences),
			})
			.onConflict((conflict) => conflict.columns(['domain', 'owner']).doUpdateSet({ ...fresh, registered_at: now }))
			.execute();
		return toSite(await this.#rowOf(domain, owner).executeTakeFirstOrThrow());
	}

	async find(domain: string, owner: string): Promise<Site | undefined> {
		const row = await this.#rowOf(domain, owner).executeTakeFirst();
		return row && toSite(row);
	}

	/** All of an owner, by name. */
	async list(owner: string): Promise<Site[]> {
		return (await this.#rows().where('owner', '=', owner).orderBy('domain').execute()).map(toSite);
	}

	/** All that are proven now. */
	async verified(): Promise<Site[]> {
		const rows = await this.#rows().where('verified_at', 'is not', null).where('lapsed_at', 'is', null).execute();
		return rows.map(toSite);
	}

	/** Whether there was such a registration. */
	async revoke(domain: string, owner: string): Promise<boolean> {
		const { numDeletedRows } = await this.#db
			.deleteFrom('service_site')
			.where('domain', '=', domain)
			.where('owner', '=', owner)
			.executeTakeFirst();
		return numDeletedRows > 0n;
	}

	async prefer(domain: string, owner: string, preferences: SitePreferences): Promise<void> {
		await this.#db
			.updateTable('service_site')
			.set({ preferences: JSON.stringify(preferences) })
			.where('domain', '=', domain)
			.where('owner', '=', owner)
			.execute();
	}

	/** Looks for the proof now; undefined where the domain is not registered. Those who ask at once share one look. */
	check(domain: string, owner: string): Promise<Site | undefined> {
		const key = `${domain} ${owner}`;
		const running = this.#checking.get(key) ?? this.#checkNow(domain, owner).finally(() => this.#checking.delete(key));
		this.#checking.set(key, running);
		return running;
	}

	/** Looks at what is due. @param limit domains at most */
	async checkDue(limit: number): Promise<void> {
		const due = await this.#rows().where('next_check', '<=', this.#now()).orderBy('next_check').limit(limit).execute();
		await Promise.all(due.map(({ domain, owner }) => this.check(domain, owner)));
	}

	async #checkNow(domain: string, owner: string): Promise<Site | undefined> {
		const site = await this.find(domain, owner);
		if (site === undefined) return undefined;
		const tokens = [site.token, ...(site.provenToken === undefined ? [] : [site.provenToken])];
		const found = await this.#check(domain, tokens);
		await this.#db
			.updateTable('service_site')
			.set({ checked_at: this.#now(), last_check: JSON.stringify(found), ...this.#consequence(site, found) })
			.where('domain', '=', domain)
			.where('owner', '=', owner)
			// Registered again or ended in the meantime: this check was for another token.
			.where('token', '=', site.token)
			.execute();
		return this.find(domain, owner);
	}

	/** Consequence of a check: a proof counts at once, its absence only after several checks. */
	#consequence(site: Site, found: DomainCheck): Partial<SiteSchema['service_site']> {
		const now = this.#now();
		if (found.token !== undefined) {
			return {
				verified_at: now,
				lapsed_at: null,
				proven_token: found.token,
				method: found.dns.verified ? 'dns' : 'file',
				misses: 0,
				next_check: now + pauses.verified,
			};
		}
		if (site.status === 'pending') {
			const goesOn = now - site.registeredAt < pendingFor;
			return { next_check: goesOn ? now + pauses.pending : null };
		}
		const misses = site.misses + (found.conclusive ? 1 : 0);
		const lapsed = misses >= maxMisses;
		return { misses, next_check: now + pauses.missed, ...(lapsed && site.status === 'verified' && { lapsed_at: now }) };
	}

	#rows() {
		return this.#db.selectFrom('service_site').selectAll();
	}

	#rowOf(domain: string, owner: string) {
		return this.#rows().where('domain', '=', domain).where('owner', '=', owner);
	}
}
