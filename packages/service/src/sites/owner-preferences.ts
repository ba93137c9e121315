import { type PreparedRobots, parseRobots, prepareRobots } from '@wayleave/protocols/robots';
import { ServiceError } from '../problems/problem.ts';
import type { Registrar } from '../registrar/registrar.ts';
import type { Site } from '../registrar/site.ts';

/** How long preferences are used before they are read again, where another process may have changed them. */
const lifetime = 5000;

interface Will {
	readonly site: Site;
	readonly rules: PreparedRobots;
}

/** Preferences of verified owners, in addition to the policy that sites publish. They only forbid. */
export class OwnerPreferences {
	readonly #registrar: Registrar;
	readonly #now: () => number;
	#wills: Promise<ReadonlyMap<string, readonly Will[]>> | undefined;
	#readAt = 0;

	constructor(registrar: Registrar, now: () => number) {
		this.#registrar = registrar;
		this.#now = now;
	}

	/** Preferences have changed. */
	forget(): void {
		this.#wills = undefined;
	}

	/** @throws ServiceError `owner-refused` */
	async check(url: string): Promise<void> {
		const wills = await this.#read();
		if (wills.size === 0) return;
		const { hostname } = new URL(url);
		for (const domain of domainsOf(hostname)) {
			for (const { site, rules } of wills.get(domain) ?? []) {
				if (!speaksFor(site, hostname)) continue;
				const { crawl } = site.preferences;
				const { allowed, rule } = rules.match(url);
				if (crawl !== 'no' && allowed) continue;
				const text = crawl === 'no' || rule === undefined ? 'crawl: no' : rule.text;
				throw new ServiceError('owner-refused', {
					url,
					outcome: 'refused',
					evidence: [{ source: `the owner of ${domain}`, line: 0, text, mechanism: 'operator' }],
				});
			}
		}
	}

	#read(): Promise<ReadonlyMap<string, readonly Will[]>> {
		const now = this.#now();
		if (this.#wills === undefined || now - this.#readAt > lifetime) {
			this.#readAt = now;
			this.#wills = this.#registrar.verified().then(willsOf);
			this.#wills.catch(() => this.forget());
		}
		return this.#wills;
	}
}

function willsOf(sites: readonly Site[]): Map<string, Will[]> {
	const wills = new Map<string, Will[]>();
	for (const site of sites) {
		const { crawl, disallow } = site.preferences;
		if (crawl !== 'no' && disallow.length === 0) continue;
		const lines = ['User-agent: *', ...disallow.map((pattern) => `Disallow: ${pattern}`)];
		const rules = prepareRobots(parseRobots(lines.join('\n')).value, 'AIWebIndex');
		wills.set(site.domain, [...(wills.get(site.domain) ?? []), { site, rules }]);
	}
	return wills;
}

/** A proof in the DNS covers the names below the domain, a file only the host that serves it. */
export function speaksFor({ domain, method }: Site, hostname: string): boolean {
	return hostname === domain || (method === 'dns' && hostname.endsWith(`.${domain}`));
}

/** A name and the names above it. */
function domainsOf(hostname: string): string[] {
	const labels = hostname.split('.');
	return labels.map((_, index) => labels.slice(index).join('.'));
}
