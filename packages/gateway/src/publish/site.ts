import type { HostPolicies } from '@wayleave/protocols/policy';
import { matchRobots, type RobotsFile } from '@wayleave/protocols/robots';
import { defaultReadings, foldAddress, foldPolicies, type Readings, readPath } from '@wayleave/protocols/url';
import { checkConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { type PageTermsInput, pageTags } from '../terms/page-terms.ts';
import { type PageTokens, somSettings } from '../terms/som-terms.ts';
import { policiesOf, type Terms } from '../terms/terms.ts';
import type { PublishOptions } from './options.ts';
import { hashOf } from './own-files.ts';
import { companionsOf, pathOf } from './site-files.ts';

/** Raised when other texts would be made of the same page. */
const recipeVersion = 2;

/** State for all pages of a site in one run. */
export class Site {
	readonly origin: string;
	/** How SOM files are made; undefined: not at all. */
	readonly som: Config['som'];
	readonly markdown: boolean;
	/** Identifies the rules for derived texts: the same recipe gives the same texts. */
	readonly recipe: string;
	readonly #config: Config;
	readonly #terms: Terms;
	readonly #options: PublishOptions;
	readonly #readings: Readings;
	readonly #files: readonly RobotsFile[];
	/** The same for folded paths. */
	readonly #folded: readonly RobotsFile[];

	constructor(config: Config, terms: Terms, options: PublishOptions) {
		this.#config = config;
		this.#terms = terms;
		this.#options = options;
		this.origin = config.origin;
		this.som = options.som === false ? undefined : (config.som ?? checkConfig({ origin: config.origin, som: {} }).som);
		this.markdown = options.markdown !== false;
		this.#readings = config.readings ?? defaultReadings;
		const policies = policiesOf(terms, config.origin);
		this.#files = pathFiles(policies);
		this.#folded = pathFiles(foldPolicies(policies, this.#readings.ignoreCase) ?? policies);
		const { endpoint: _, announce: __, ...som } = this.som ?? { endpoint: '', announce: false };
		this.recipe = hashOf(JSON.stringify([recipeVersion, this.origin, this.som && som, this.markdown]));
	}

	/** Whether agents without rules of their own may not fetch a page: it is then neither listed nor represented. */
	isWithheld(key: string): boolean {
		const found = readPath(key, '', this.#readings);
		if (typeof found === 'string') return true;
		const { ignoreCase } = this.#readings;
		const denies = (files: readonly RobotsFile[], path: string) =>
			files.some((file) => !matchRobots(file, '*', path).allowed);
		return found.some((path) => denies(this.#files, path) || denies(this.#folded, foldAddress(path, ignoreCase)));
	}

	isHoneypot(key: string): boolean {
		const plain = key.replace(/(?:\/|\.html)$/, '');
		return this.#config.honeypots.some((trap) => trap.replace(/\/$/, '') === plain || trap === key);
	}

	announcesEndpoint(): boolean {
		return this.#config.som !== undefined && (this.#config.som.announce || this.#options.gateway === true);
	}

	/** The tags for the head of a page. `represented`: it has files beside it. */
	tagsOf(file: string, key: string, represented: boolean, tokens?: PageTokens): string[] {
		if (this.#options.tags !== true) return [];
		const terms = { ...this.pageTerms(file, represented), honeypot: this.isHoneypot(key), ...(tokens && { tokens }) };
		return pageTags(terms, this.origin + key);
	}

	pageTerms(file: string, represented: boolean): PageTermsInput {
		const companions = companionsOf(file);
		const endpoint = this.announcesEndpoint() ? somSettings(this.#config) : undefined;
		return {
			signals: this.#terms.signals,
			manifest: this.#options.manifest !== false,
			...(endpoint && { som: endpoint }),
			...(represented && this.som && { somFile: pathOf(companions.som), somScope: this.som.scope }),
			...(represented && this.markdown && { markdownFile: pathOf(companions.markdown) }),
		};
	}
}

function pathFiles({ robots, robots2 }: HostPolicies): RobotsFile[] {
	return [
		...(robots !== undefined && 'file' in robots ? [robots.file] : []),
		...(robots2 !== undefined && 'files' in robots2 ? robots2.files.map(({ file }) => file.paths) : []),
	];
}
