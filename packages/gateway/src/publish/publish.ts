import { existsSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { openDatabase } from '@wayleave/io/sql';
import { manifestPath, type PublishedPage } from '@wayleave/protocols/pagedigest';
import type { Kysely } from 'kysely';
import type { Config } from '../config/schema.ts';
import { prepareRevisions } from '../pagedigest/revision-store.ts';
import type { RevisionSchema } from '../pagedigest/schema.ts';
import { asked } from '../terms/check-terms.ts';
import { publishProblem } from '../terms/problems.ts';
import { type Terms, termsOf } from '../terms/terms.ts';
import { checkBroadRules } from './broad-rules.ts';
import { FileIndex, type IndexSchema } from './file-index.ts';
import { type ManifestReport, writeManifest } from './manifest-file.ts';
import type { FileProblem, PublishOptions, PublishReport } from './options.ts';
import { OwnFiles } from './own-files.ts';
import { type DonePage, Pages } from './pages.ts';
import { policyFiles, writePolicyFiles } from './policy-files.ts';
import { Site } from './site.ts';
import { companionsOf, keyOf, kindOf, listFiles } from './site-files.ts';

/**
 * Publishes a folder of static files for agents: the policy file in all vocabularies, a manifest with revisions that
 * never fall, SOM and Markdown beside the pages, tags and headers that name them. Done again, only what changed is
 * read and written. Pages come before the manifest that announces them (pagedigest §4.3).
 *
 * @param folder as it is served
 * @throws when the folder cannot be read or written, or its state cannot be opened
 */
export async function publish(folder: string, config: Config, options: PublishOptions = {}): Promise<PublishReport> {
	if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
	const state = statePath(config, options);
	const db = openDatabase<RevisionSchema & IndexSchema>(`sqlite:${state}`, { brief: true });
	try {
		await prepareRevisions(db as unknown as Kysely<RevisionSchema>);
		const index = await FileIndex.open(db as unknown as Kysely<IndexSchema>, config.origin);
		return await new Publishing(folder, config, options, index, db as unknown as Kysely<RevisionSchema>).run();
	} finally {
		await db.destroy();
	}
}

function statePath({ pagedigest }: Config, { base = '.' }: PublishOptions): string {
	return resolve(base, pagedigest?.state ?? './.wayleave/revisions.db');
}

class Publishing {
	readonly #folder: string;
	readonly #out: string;
	readonly #config: Config;
	readonly #options: PublishOptions;
	readonly #index: FileIndex;
	readonly #db: Kysely<RevisionSchema>;

	constructor(folder: string, config: Config, options: PublishOptions, index: FileIndex, db: Kysely<RevisionSchema>) {
		this.#folder = resolve(folder);
		this.#out = resolve(options.out ?? folder);
		this.#config = config;
		this.#options = options;
		this.#index = index;
		this.#db = db;
	}

	async run(): Promise<PublishReport> {
		const config = this.#config;
		const options = this.#options;
		const out = this.#out;
		const index = this.#index;
		// 1. What the site says of itself, and the policy in all vocabularies.
		const terms = termsOf(config, { ownRobots: this.#ownRobots(), somEndpoint: this.#announces() });
		const site = new Site(config, terms, options);
		// 2. The files, without those that we made.
		const { sources, present } = this.#list();
		this.#refuseEmptied(sources);
		// 3. Pages and what stands beside them.
		const companions = new OwnFiles(out, index, false);
		const readAll = options.readAll === true;
		const pages = new Pages(site, index, companions, { folder: this.#folder, out, present, readAll });
		const { done, documents } = await this.#take(sources, pages);
		this.#removeOrphans(new Set(sources), pages);
		// 4. The policy files.
		const replace = options.replace === true;
		const own = new OwnFiles(out, index, replace);
		const open = done.filter(({ withheld }) => !withheld);
		const manifest = options.manifest !== false;
		const policyProblems = writePolicyFiles({
			config,
			terms,
			site,
			own,
			folder: this.#folder,
			open,
			manifest,
			replace,
		});
		// 5. The index, then the revisions and the manifest: what it announces is there.
		await index.save(new Set(sources));
		const listed = [...open, ...documents.filter(({ withheld }) => !withheld)];
		const { counts, written, problems } = await this.#announce(manifest ? listed : undefined);
		await index.saveWritten();
		return {
			pages: done.length,
			read: pages.read,
			withheld: done.length - open.length,
			...(counts ?? { listed: 0, added: 0, changed: 0, gone: 0 }),
			files: written ? [...own.written, manifestPath.slice(1)] : own.written,
			pageFiles: pages.written,
			problems: [
				...policyProblems,
				...pages.problems,
				...problems.map((problem) => ({ file: manifestPath.slice(1), problem })),
				...this.#check(terms, done),
			],
		};
	}

	#announces(): boolean {
		return this.#options.gateway === true || this.#config.som?.announce === true;
	}

	#ownRobots(): Uint8Array | string {
		const path = join(this.#folder, 'robots.txt');
		return existsSync(path) ? readFileSync(path) : '';
	}

	/** `sources` without files that we made; `present` is what lies where the site is served from. */
	#list(): { sources: string[]; present: ReadonlySet<string> } {
		const files = listFiles(this.#folder);
		if (this.#out === this.#folder) {
			return { sources: files.filter((file) => !this.#index.written.has(file)), present: new Set(files) };
		}
		return { sources: files, present: new Set(existsSync(this.#out) ? listFiles(this.#out) : []) };
	}

	/** A failed build must not publish a manifest that says all pages are gone. */
	#refuseEmptied(sources: readonly string[]): void {
		const isPage = (file: string) => kindOf(file) === 'page';
		const before = [...this.#index.known.keys()].filter(isPage).length;
		if (before === 0 || sources.some(isPage)) return;
		throw new Error(
			`${this.#folder}: the folder contains no page, and had ${before} at the last run; nothing was written, since the manifest would say that all are gone: build the site first, or delete ${statePath(this.#config, this.#options)} to begin again`,
		);
	}

	async #take(sources: readonly string[], pages: Pages) {
		const done: DonePage[] = [];
		const documents: (PublishedPage & { withheld: boolean })[] = [];
		const ofKind = (kind: string) => sources.filter((file) => kindOf(file) === kind);
		// A file next to a page is its representation, not a document of its own.
		const beside = new Set(ofKind('page').flatMap((file) => Object.values(companionsOf(file))));
		const key = (file: string) => keyOf(file, this.#options.cleanUrls === true);
		for (const file of ofKind('other')) if (!policyFiles.has(file)) pages.copy(file);
		for (const file of ofKind('document')) {
			if (beside.has(file)) pages.copy(file);
			else documents.push(await pages.document(file, key(file)));
		}
		const files = ofKind('page');
		for (const file of files) {
			done.push(await pages.page(file, key(file)));
			this.#options.onPage?.(done.length, files.length);
		}
		return { done, documents };
	}

	/** Takes away the representations of pages that are gone, and where we fill a folder of our own the pages too. */
	#removeOrphans(sources: ReadonlySet<string>, pages: Pages): void {
		for (const file of this.#index.known.keys()) if (!sources.has(file)) pages.remove(file);
	}

	/** @param pages undefined: no manifest is wanted */
	async #announce(pages: readonly PublishedPage[] | undefined): Promise<ManifestReport> {
		return await writeManifest({
			db: this.#db,
			config: this.#config,
			index: this.#index,
			pages,
			path: join(this.#out, manifestPath),
			published: this.#options.published,
			time: this.#options.time ?? Date.now(),
		});
	}

	#check(terms: Terms, done: readonly DonePage[]): FileProblem[] {
		const config = this.#config;
		const keys = done.map(({ key }) => key);
		const files =
			this.#options.gateway === true
				? []
				: [...asked(config)].map((directive) => publishProblem('publish-ask-without-endpoint', { directive }));
		const endpoint =
			config.som === undefined || this.#announces()
				? []
				: [publishProblem('publish-som-not-served', { endpoint: config.som.endpoint })];
		const state = relative(this.#out, statePath(config, this.#options));
		const inside =
			state.startsWith('..') || isAbsolute(state) ? [] : [publishProblem('publish-state-inside', { state })];
		const problems = [...inside, ...terms.problems, ...checkBroadRules(terms.paths, keys), ...files, ...endpoint];
		return problems.map((problem) => ({ file: problem.line > 0 ? 'robots.txt' : 'policy file', problem }));
	}
}
