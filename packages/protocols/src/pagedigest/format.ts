import type { Manifest, ManifestEntry } from './types.ts';

/** Writes a manifest as JSON, one entry a line in the order of the keys, so that versions compare line by line. */
export function formatManifest({ version, generated, siteRev, coverage, entries }: Manifest): string {
	const head = JSON.stringify({ version, generated, site_rev: siteRev, coverage }, undefined, 2).slice(0, -2);
	const keys = [...entries.keys()].sort();
	const lines = keys.map((key) => `    ${JSON.stringify(key)}: ${formatEntry(entries.get(key)!)}`);
	return `${head},\n  "entries": {${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}}\n}\n`;
}

function formatEntry({ rev, digest, modified }: ManifestEntry): string {
	return JSON.stringify({ rev, digest, modified });
}
