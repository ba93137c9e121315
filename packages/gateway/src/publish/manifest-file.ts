import { existsSync, readFileSync, rmSync } from 'node:fs';
import { present } from '@wayleave/protocols';
import {
	type Coverage,
	compareManifests,
	formatManifest,
	type Manifest,
	manifestPath,
	type PagedigestProblem,
	type PublishedPage,
	parseManifest,
} from '@wayleave/protocols/pagedigest';
import type { Kysely } from 'kysely';
import type { Config } from '../config/schema.ts';
import { nextManifest } from '../pagedigest/revision-store.ts';
import type { RevisionSchema } from '../pagedigest/schema.ts';
import type { ManifestCounts } from './options.ts';
import { hashOf, replaceFile, type WrittenFiles } from './own-files.ts';

const file = manifestPath.slice(1);

/** The result of writing a manifest. */
export interface ManifestReport {
	/** Undefined when it would be too large: then nothing was written. */
	readonly counts?: ManifestCounts;
	/** The file has other bytes than before. */
	readonly written: boolean;
	readonly problems: readonly PagedigestProblem[];
}

export interface ManifestTask {
	readonly db: Kysely<RevisionSchema>;
	readonly config: Config;
	readonly index: WrittenFiles;
	/** Undefined: no manifest is wanted. */
	readonly pages: readonly PublishedPage[] | undefined;
	/** Path under which it is served. */
	readonly path: string;
	/** The one that is served, where it lies elsewhere. */
	readonly published: Manifest | undefined;
	/** Milliseconds since 1970. */
	readonly time: number;
}

/**
 * Stores the revisions of the pages and writes the manifest; its time alone is no reason to write it. Where there is to
 * be none, or it would be too large, the one of an earlier run goes: it would claim that nothing has changed since.
 */
export async function writeManifest(task: ManifestTask): Promise<ManifestReport> {
	const { db, config, index, pages, path, published, time } = task;
	const bytes = existsSync(path) ? readFileSync(path) : undefined;
	const hash = bytes && hashOf(bytes);
	// One that was written for another origin says nothing about this one.
	const lying =
		bytes && hash !== undefined && !index.wroteElsewhere(file, hash) ? parseManifest(bytes).value : undefined;
	if (pages === undefined) {
		const ours = hash !== undefined && index.written.get(file) === hash;
		if (ours) rmSync(path);
		index.written.delete(file);
		return { written: ours, problems: [] };
	}
	const before = further(lying, published);
	const coverage = coverageOf(config);
	const { manifest, problems } = await nextManifest(
		db,
		config.origin,
		pages,
		present({ time, published: before, coverage }),
	);
	if (manifest === undefined) {
		rmSync(path, { force: true });
		index.written.delete(file);
		return { written: lying !== undefined, problems };
	}
	const written = lying === undefined || !isSameButTime(lying, manifest);
	if (written) {
		const text = formatManifest(manifest);
		replaceFile(path, text);
		index.written.set(file, hashOf(text));
	}
	return { counts: countsOf(before, manifest), written, problems };
}

/** The manifest with the higher revision: no later one may have a lower one. */
function further(a: Manifest | undefined, b: Manifest | undefined): Manifest | undefined {
	if (a === undefined || b === undefined) return a ?? b;
	return b.siteRev > a.siteRev ? b : a;
}

function coverageOf({ pagedigest }: Config): Coverage | undefined {
	if (pagedigest?.coverage !== 'partial') return { mode: 'complete' };
	return pagedigest.prefixes === undefined ? undefined : { mode: 'prefixes', prefixes: pagedigest.prefixes };
}

function isSameButTime(a: Manifest, b: Manifest): boolean {
	return formatManifest({ ...a, generated: b.generated }) === formatManifest(b);
}

function countsOf(before: Manifest | undefined, manifest: Manifest): ManifestCounts {
	const { fetch, gone } = compareManifests(before, manifest);
	const count = (reason: string) => fetch.filter((planned) => planned.reason === reason).length;
	return {
		siteRev: manifest.siteRev,
		listed: manifest.entries.size,
		added: count('new'),
		changed: count('changed'),
		gone: gone.length,
	};
}
