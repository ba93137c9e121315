import { formatByLine } from '../internal/json-lines.ts';
import type { Manifest, ManifestEntry } from './types.ts';

/** Writes a manifest as JSON, one entry a line in the order of the keys, so that versions compare line by line. */
export function formatManifest({ version, generated, siteRev, coverage, entries }: Manifest): string {
	const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
	const lines = sorted.map(([key, entry]) => `${JSON.stringify(key)}: ${formatEntry(entry)}`);
	return formatByLine({ version, generated, site_rev: siteRev, coverage }, 'entries', '{}', lines);
}

function formatEntry({ rev, digest, modified }: ManifestEntry): string {
	return JSON.stringify({ rev, digest, modified });
}
