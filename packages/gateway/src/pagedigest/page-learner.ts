import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { decodeHtml, extract } from '@wayleave/extract';
import { openDatabase } from '@wayleave/io';
import { type Digest, formatManifest, hasTrackingQuery, isUrlKey, type Manifest } from '@wayleave/protocols/pagedigest';
import type { Kysely } from 'kysely';
import type { Config } from '../config/schema.ts';
import type { Answer } from '../serve/answer.ts';
import { answerFile } from '../serve/files.ts';
import type { PageLearner } from '../serve/gateway.ts';
import type { Visit } from '../serve/visit.ts';
import { fingerprintOf } from './fingerprint.ts';
import { LearnedPages } from './learned-pages.ts';
import { loadRevisions, prepareRevisions, saveChanges } from './revision-store.ts';
import type { RevisionSchema } from './schema.ts';

export interface PageLearnerOptions {
	/** The folder that paths in the policy file start from. Default: the working folder. */
	readonly base?: string;
	/** Pages that are not listed: those that are disallowed to everybody. */
	readonly isWithheld?: (path: string) => boolean;
	/** Seconds for which a page that was seen counts as known. Default 3600. */
	readonly maxAge?: number;
	/** Milliseconds between two looks at the same page. Default 1000. */
	readonly interval?: number;
	/** Milliseconds from a change to the manifest that announces it. Default 500. */
	readonly delay?: number;
	/** What an operator should know. */
	readonly onTrouble?: (error: unknown) => void;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
}

/** A manifest stays below what consumers read (pagedigest §7.3): 10 MB at a hundred bytes and more a page. */
const maxPages = 60_000;
const maxKey = 500;
const documents = /^(?:text\/html|application\/xhtml\+xml|text\/markdown|text\/plain|application\/pdf)\b/i;

/** Learns which pages change from what is served, and stores what it announces before it announces it. */
export class DurablePageLearner implements PageLearner {
	private readonly db: Kysely<RevisionSchema>;
	private readonly origin: string;
	private readonly options: PageLearnerOptions;
	private readonly pages: LearnedPages;
	private readonly now: () => number;
	private readonly timer: NodeJS.Timeout;
	/** What is announced: never more than is stored. */
	private announced: { readonly manifest: Manifest; file: { type: string; text: string; etag: string } | undefined };
	private storing: Promise<void> | undefined;

	private constructor(db: Kysely<RevisionSchema>, origin: string, pages: LearnedPages, options: PageLearnerOptions) {
		this.db = db;
		this.origin = origin;
		this.pages = pages;
		this.options = options;
		this.now = options.now ?? Date.now;
		this.announced = { manifest: this.manifest(), file: undefined };
		this.timer = setInterval(() => void this.store(), options.delay ?? 500).unref();
	}

	/** Opens the state that the policy file names. @throws DatabaseError */
	static async open(config: Config, options: PageLearnerOptions = {}): Promise<DurablePageLearner> {
		const file = resolve(options.base ?? '.', config.pagedigest?.state ?? './.wayleave/revisions.db');
		const db = openDatabase<RevisionSchema>(`sqlite:${file}`);
		try {
			await prepareRevisions(db);
			const pages = new LearnedPages(await loadRevisions(db, config.origin), options.interval ?? 1000);
			const learner = new DurablePageLearner(db, config.origin, pages, options);
			await learner.store();
			return learner;
		} catch (error) {
			await db.destroy();
			throw error;
		}
	}

	wants(path: string): boolean {
		if (!isUrlKey(path) || path.length > maxKey || hasTrackingQuery(path)) return false;
		if (this.options.isWithheld?.(path) === true) return false;
		if (this.pages.isResting(path, this.now())) return false;
		return this.pages.has(path) || this.pages.size < maxPages;
	}

	learn(path: string, body: Uint8Array, contentType: string | undefined): void {
		if (!this.wants(path) || !documents.test(contentType ?? '')) return;
		const hash = createHash('sha256').update(body).digest('hex');
		const fingerprint = () => this.fingerprint(path, body, contentType, hash);
		this.pages.see({ key: path, digest: `sha256:${hash}` as Digest, fingerprint, at: this.now() });
	}

	/** The page answers 404 or 410. */
	forget(path: string): void {
		this.pages.forget(path);
	}

	revisionOf(path: string): number | undefined {
		return this.pages.revisionOf(path);
	}

	answer(visit: Visit): Answer {
		const { announced } = this;
		announced.file ??= fileOf(announced.manifest);
		const { status, headers, body } = answerFile(announced.file, visit);
		const caching = status < 400 ? { 'cache-control': 'public, max-age=60' } : {};
		return { status, headers: { ...headers, ...caching }, body };
	}

	/** Stores what was learned, then announces it. One at a time; what fails is tried again. */
	async store(): Promise<void> {
		this.storing ??= this.storeNow().finally(() => {
			this.storing = undefined;
		});
		await this.storing;
	}

	async close(): Promise<void> {
		clearInterval(this.timer);
		await this.storing;
		await this.store();
		await this.db.destroy();
	}

	private async storeNow(): Promise<void> {
		this.pages.expire(this.now() - (this.options.maxAge ?? 3600) * 1000);
		const changes = this.pages.takeChanges();
		if (changes === undefined) return;
		const manifest = this.manifest();
		try {
			await saveChanges(this.db, this.origin, changes, changes.pages);
			this.announced = { manifest, file: undefined };
		} catch (error) {
			this.pages.giveBack(changes.pages);
			this.options.onTrouble?.(error);
		}
	}

	private manifest(): Manifest {
		return this.pages.manifest(`${new Date(this.now()).toISOString().slice(0, 19)}Z`);
	}

	/** The content of a page; of other documents the bytes. */
	private fingerprint(path: string, body: Uint8Array, contentType: string | undefined, hash: string): string {
		if (!/html/i.test(contentType ?? '')) return hash;
		const { text } = decodeHtml(body, contentType);
		return fingerprintOf(extract(text, this.origin + path), text);
	}
}

function fileOf(manifest: Manifest) {
	const text = formatManifest(manifest);
	const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
	return { type: 'application/json', text, etag };
}
