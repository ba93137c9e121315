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

/** By domain. */
type Wills = ReadonlyMap<string, readonly Will[]>;

/** Preferences of verified owners, in addition to the policy that sites publish. They only forbid. */
export class OwnerPreferences {
	readonly #registrar: Registrar;
	readonly #now: () => number;
	/** A promise until they are read. */
	#wills: Wills | Promise<Wills> | undefined;
	#readAt = 0;

	constructor(registrar: Registrar, now: () => number) {
		this.#registrar = registrar;
		this.#now = now;
	}

	/** Preferences have changed. */
	forget(): void {
		this.#wills = undefined;
	}

	/** Undefined if the page is allowed and the preferences need not be read. @throws ServiceError `owner-refused` */
	check(url: string): Promise<void> | undefined {
		const wills = this.#read();
		if (wills instanceof Promise) return wills.then((read) => requireAllowed(url, read));
		requireAllowed(url, wills);
		return undefined;
	}

	#read(): Wills | Promise<Wills> {
		const now = this.#now();
		if (this.#wills !== undefined && now - this.#readAt <= lifetime) return this.#wills;
		this.#readAt = now;
		const reading = this.#registrar.verified().then(willsOf);
		this.#wills = reading;
		const isLatest = () => this.#wills === reading;
		reading.then(
			(wills) => {
				if (isLatest()) this.#wills = wills;
			},
			() => {
				if (isLatest()) this.forget();
			},
		);
		return reading;
	}
}

/** @throws ServiceError `owner-refused` */
function requireAllowed(url: string, wills: Wills): void {
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
