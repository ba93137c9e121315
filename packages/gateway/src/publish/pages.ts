import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, type Stats, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Digest, PublishedPage } from '@wayleave/protocols/pagedigest';
import type { LlmsPage } from '../terms/llms.ts';
import { type PublishProblem, publishProblem } from '../terms/problems.ts';
import type { Bodies, FileIndex, IndexedFile } from './file-index.ts';
import { injectTags, removeTags } from './inject-tags.ts';
import { hashOf, type OwnFiles, replaceFile } from './own-files.ts';
import { representPage } from './represent.ts';
import type { Site } from './site.ts';
import { companionsOf, kindOf, pathOf } from './site-files.ts';

/** A page whose part of the work is done. */
export interface DonePage extends PublishedPage {
	readonly file: string;
	readonly withheld: boolean;
	readonly llms: LlmsPage;
}

/** Facts about the content of a page. */
type Facts = Pick<
	IndexedFile,
	'hash' | 'fingerprint' | 'title' | 'description' | 'withdrawn' | 'html_tokens' | 'som_tokens'
>;

/** Inputs of a page's tags. */
type TagFacts = Pick<Facts, 'withdrawn' | 'html_tokens' | 'som_tokens'>;

/** A file that changed this shortly before it was read may have changed again within the same tick of its clock. */
const racy = 2000;

/** Takes the files of a site one by one; what is as it was is not even read. */
export class Pages {
	/** Pages whose content was computed again. */
	read = 0;
	/** Pages and representations that were written or removed. */
	written = 0;
	readonly problems: { file: string; problem: PublishProblem }[] = [];
	readonly #site: Site;
	readonly #index: FileIndex;
	readonly #own: OwnFiles;
	readonly #folder: string;
	readonly #out: string;
	/** Files that were there at the start. */
	readonly #present: ReadonlySet<string>;
	readonly #readAll: boolean;

	constructor(
		site: Site,
		index: FileIndex,
		own: OwnFiles,
		at: { folder: string; out: string; present: ReadonlySet<string>; readAll: boolean },
	) {
		this.#site = site;
		this.#index = index;
		this.#own = own;
		this.#folder = at.folder;
		this.#out = at.out;
		this.#present = at.present;
		this.#readAll = at.readAll;
	}

	/** Adds the tags to a page, brings its representations up to date, and tells what the manifest has to know. */
	async page(file: string, key: string): Promise<DonePage> {
		const stat = statSync(join(this.#folder, file));
		const row = this.#index.known.get(file);
		const closed = this.#site.isWithheld(key);
		const untouched = row !== undefined && this.#isUntouched(row, stat, file) && row.recipe === this.#site.recipe;
		if (untouched && row.dress === this.#tagsHash(file, key, closed, row)) {
			await this.#represent(file, row, closed, undefined);
			return this.#done(file, key, row, row.digest, closed);
		}
		const raw = readFileSync(join(this.#folder, file));
		const body = removeTags(raw);
		const hash = hashOf(body);
		const same = row !== undefined && row.hash === hash && row.recipe === this.#site.recipe;
		const { facts, bodies } = same ? { facts: row, bodies: undefined } : this.#readPage(key, body, hash);
		const served = this.#dressed(file, key, closed, facts, body);
		if (this.#out !== this.#folder || !served.equals(raw)) this.#writePage(file, served, stat);
		const digest = hashOf(served);
		const after = this.#out === this.#folder ? statSync(join(this.#folder, file)) : stat;
		const dressed = this.#tagsHash(file, key, closed, facts);
		await this.#index.keep(this.#rowOf(file, after, facts, digest, dressed), bodies);
		await this.#represent(file, facts, closed, bodies);
		return this.#done(file, key, facts, digest, closed);
	}

	/** A document that is served as it is: its revision follows its bytes. */
	async document(file: string, key: string): Promise<PublishedPage & { withheld: boolean }> {
		const stat = statSync(join(this.#folder, file));
		const row = this.#index.known.get(file);
		let hash = row?.hash;
		if (row === undefined || hash === undefined || !this.#isUntouched(row, stat, file)) {
			hash = hashOf(readFileSync(join(this.#folder, file)));
			const facts = {
				hash,
				fingerprint: hash,
				title: '',
				description: null,
				withdrawn: 0,
				html_tokens: null,
				som_tokens: null,
			};
			await this.#index.keep(this.#rowOf(file, stat, facts, hash, ''));
		}
		this.copy(file);
		return { key, fingerprint: hash, digest: `sha256:${hash}`, withheld: this.#site.isWithheld(key) };
	}

	/** Any other file: it only has to be where the site is served from. */
	copy(file: string): void {
		if (this.#out === this.#folder) return;
		const [from, to] = [join(this.#folder, file), join(this.#out, file)];
		const stat = statSync(from);
		const there = statSync(to, { throwIfNoEntry: false });
		if (there?.size === stat.size && Math.abs(there.mtimeMs - stat.mtimeMs) < 1) return;
		mkdirSync(dirname(to), { recursive: true });
		copyFileSync(from, to);
		utimesSync(to, stat.atime, stat.mtime);
	}

	/** Removes the representations of a deleted file, and its copy in another output folder. */
	remove(file: string): void {
		if (kindOf(file) === 'page') for (const each of Object.values(companionsOf(file))) this.#companion(each, undefined);
		if (this.#out === this.#folder) return;
		rmSync(join(this.#out, file), { force: true });
		this.written++;
	}

	#isUntouched(row: IndexedFile, stat: Stats, file: string): boolean {
		if (this.#readAll || (this.#out !== this.#folder && !this.#present.has(file))) return false;
		return row.size === stat.size && row.mtime === stat.mtimeMs && row.mtime < row.checked - racy;
	}

	#readPage(key: string, body: Buffer, hash: string): { facts: Facts; bodies: Bodies } {
		this.read++;
		const { fingerprint, title, description, isUnlisted, som, markdown, tokens } = representPage(
			body,
			this.#site.origin + key,
			{
				som: this.#site.som,
				markdown: this.#site.markdown,
			},
		);
		const facts = {
			hash,
			fingerprint,
			title,
			description: description ?? null,
			withdrawn: isUnlisted ? 1 : 0,
			html_tokens: tokens?.html ?? null,
			som_tokens: tokens?.som ?? null,
		};
		return { facts, bodies: { som, markdown } };
	}

	#rowOf(file: string, stat: Stats, facts: Facts, digest: string, dressed: string): IndexedFile {
		const { size, mtimeMs: mtime } = stat;
		return { ...facts, file, size, mtime, checked: Date.now(), digest, recipe: this.#site.recipe, dress: dressed };
	}

	#isRepresented(closed: boolean, { withdrawn }: Pick<Facts, 'withdrawn'>): boolean {
		return !closed && withdrawn === 0;
	}

	#tags(file: string, key: string, closed: boolean, facts: TagFacts): string[] {
		const { html_tokens: html, som_tokens: som } = facts;
		const tokens = html === null || som === null ? undefined : { html, som };
		const represented = this.#isRepresented(closed, facts);
		return this.#site.tagsOf(file, key, represented, represented ? tokens : undefined);
	}

	#tagsHash(file: string, key: string, closed: boolean, facts: TagFacts): string {
		const tags = this.#tags(file, key, closed, facts);
		return tags.length === 0 ? '' : hashOf(tags.join('\n'));
	}

	#dressed(file: string, key: string, closed: boolean, facts: Facts, body: Buffer): Buffer {
		const served = injectTags(body, this.#tags(file, key, closed, facts));
		if (served === undefined) this.problems.push({ file, problem: publishProblem('publish-no-head') });
		return served ?? body;
	}

	#writePage(file: string, served: Buffer, stat: Stats): void {
		const path = join(this.#out, file);
		if (this.#out !== this.#folder && existsSync(path) && readFileSync(path).equals(served)) return;
		replaceFile(path, served);
		if (this.#out !== this.#folder) utimesSync(path, stat.atime, stat.mtime);
		this.written++;
	}

	/** Brings the files beside a page up to date. `made`: they were made just now; else they are as they were. */
	async #represent(file: string, facts: Facts, closed: boolean, made: Bodies | undefined): Promise<void> {
		const { som, markdown } = companionsOf(file);
		const wanted = this.#isRepresented(closed, facts);
		const complete = [this.#site.som && som, this.#site.markdown && markdown].every(
			(each) => !each || (this.#present.has(each) && this.#own.has(each)),
		);
		if (wanted && complete && made === undefined) return;
		const bodies = !wanted ? undefined : (made ?? (await this.#index.bodiesOf(file)));
		this.#companion(som, bodies?.som);
		this.#companion(markdown, bodies?.markdown);
	}

	/** Writes a companion file, unless the site has its own file under that name. */
	#companion(file: string, text: string | undefined): void {
		if (text === undefined) {
			if (this.#own.remove(file) === 'removed') this.written++;
			return;
		}
		const result = this.#own.write(file, text);
		if (result === 'written') this.written++;
		if (result === 'foreign')
			this.problems.push({ file, problem: publishProblem('publish-foreign-companion', { file }) });
	}

	#done(file: string, key: string, facts: Facts, digest: string, closed: boolean): DonePage {
		const withheld = !this.#isRepresented(closed, facts);
		const url = this.#site.origin + (this.#site.markdown ? pathOf(companionsOf(file).markdown) : key);
		const { title, description, fingerprint } = facts;
		const llms = { url, title: title === '' ? key : title, ...(description !== null && { description }) };
		return { key, fingerprint, digest: `sha256:${digest}` as Digest, file, withheld, llms };
	}
}
