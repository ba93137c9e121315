import { matchRobots, parseRobots } from '@wayleave/protocols/robots';
import { parseRobots2 } from '@wayleave/protocols/robots2';
import { checkConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { type PageTermsInput, pageTags } from '../terms/page-terms.ts';
import { somSettings } from '../terms/som-terms.ts';
import type { Terms } from '../terms/terms.ts';
import type { PublishOptions } from './options.ts';
import { hashOf } from './own-files.ts';
import { companionsOf, pathOf } from './site-files.ts';

/** Raised when other texts would be made of the same page. */
const recipeVersion = 1;

/** What holds for all pages of a site in one run. */
export class Site {
	readonly origin: string;
	/** How SOM files are made; undefined: not at all. */
	readonly som: Config['som'];
	readonly markdown: boolean;
	/** Of what is made of a page: where it is the same, so are the texts. */
	readonly recipe: string;
	private readonly config: Config;
	private readonly terms: Terms;
	private readonly options: PublishOptions;
	private readonly files: ReturnType<typeof pathFiles>;

	constructor(config: Config, terms: Terms, options: PublishOptions) {
		this.config = config;
		this.terms = terms;
		this.options = options;
		this.origin = config.origin;
		this.som = options.som === false ? undefined : (config.som ?? checkConfig({ origin: config.origin, som: {} }).som);
		this.markdown = options.markdown !== false;
		this.files = pathFiles(terms);
		const { endpoint: _, announce: __, ...som } = this.som ?? { endpoint: '', announce: false };
		this.recipe = hashOf(JSON.stringify([recipeVersion, this.origin, this.som && som, this.markdown]));
	}

	/** Whether nobody in particular may fetch a page: it is not listed, and nothing is made of it. */
	isWithheld(key: string): boolean {
		return this.files.some((file) => !matchRobots(file, '*', key).allowed);
	}

	isHoneypot(key: string): boolean {
		const plain = key.replace(/(?:\/|\.html)$/, '');
		return this.config.honeypots.some((trap) => trap.replace(/\/$/, '') === plain || trap === key);
	}

	announcesEndpoint(): boolean {
		return this.config.som !== undefined && (this.config.som.announce || this.options.gateway === true);
	}

	/** The tags for the head of a page. `represented`: it has files beside it. */
	tagsOf(file: string, key: string, represented: boolean): string[] {
		if (this.options.tags !== true) return [];
		return pageTags({ ...this.pageTerms(file, represented), honeypot: this.isHoneypot(key) }, this.origin + key);
	}

	pageTerms(file: string, represented: boolean): PageTermsInput {
		const companions = companionsOf(file);
		const endpoint = this.announcesEndpoint() ? somSettings(this.config) : undefined;
		return {
			signals: this.terms.signals,
			manifest: this.options.manifest !== false,
			...(endpoint && { som: endpoint }),
			...(represented && this.som && { somFile: pathOf(companions.som), somScope: this.som.scope }),
			...(represented && this.markdown && { markdownFile: pathOf(companions.markdown) }),
		};
	}
}

function pathFiles({ robots, robots2 }: Terms) {
	return [parseRobots(robots).value, parseRobots2(robots2).value.paths];
}
