import { existsSync, readFileSync } from 'node:fs';
import {
	type Coverage,
	compareManifests,
	formatManifest,
	type Manifest,
	type PagedigestProblem,
	type PublishedPage,
	parseManifest,
} from '@wayleave/protocols/pagedigest';
import type { Kysely } from 'kysely';
import type { Config } from '../config/schema.ts';
import { nextManifest } from '../pagedigest/revision-store.ts';
import type { RevisionSchema } from '../pagedigest/schema.ts';
import { replaceFile } from './own-files.ts';

/** What came of a manifest. */
export interface ManifestReport {
	/** Undefined when it would be too large: then nothing was written. */
	readonly counts?: ManifestCounts;
	/** The file has other bytes than before. */
	readonly written: boolean;
	readonly problems: readonly PagedigestProblem[];
}

export interface ManifestCounts {
	readonly siteRev: number;
	readonly listed: number;
	readonly added: number;
	readonly changed: number;
	readonly gone: number;
}

export interface ManifestTask {
	readonly db: Kysely<RevisionSchema>;
	readonly config: Config;
	readonly pages: readonly PublishedPage[];
	/** Where it is served from. */
	readonly path: string;
	/** The one that is served, where it lies elsewhere. */
	readonly published: Manifest | undefined;
	/** Milliseconds since 1970. */
	readonly time: number;
}

/** Stores the revisions of the pages and writes the manifest; its time alone is no reason to write it. */
export async function writeManifest({
	db,
	config,
	pages,
	path,
	published,
	time,
}: ManifestTask): Promise<ManifestReport> {
	const lying = existsSync(path) ? parseManifest(readFileSync(path)).value : undefined;
	const before = further(lying, published);
	const coverage = coverageOf(config);
	const { manifest, problems } = await nextManifest(db, config.origin, pages, {
		time,
		...(before && { published: before }),
		...(coverage && { coverage }),
	});
	if (manifest === undefined) return { written: false, problems };
	const written = lying === undefined || !isSameButTime(lying, manifest);
	if (written) replaceFile(path, formatManifest(manifest));
	return { counts: countsOf(before, manifest), written, problems };
}

/** The manifest that nobody may fall behind. */
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
