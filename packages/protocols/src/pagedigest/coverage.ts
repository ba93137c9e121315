import type { Coverage, Manifest } from './types.ts';

/**
 * Whether a coverage speaks about a key: all under `complete`; under `prefixes` those that begin with a prefix
 * exactly as written, so that `/blog/` does not cover `/blogextra` (pagedigest §3.1); none without coverage.
 */
export function coverageTest(coverage: Coverage | undefined): (key: string) => boolean {
	if (coverage === undefined) return () => false;
	return coverage.mode === 'complete' ? () => true : prefixTest(coverage.prefixes);
}

/** Of sorted prefixes that do not contain each other only the last one before the key can be its beginning. */
function prefixTest(prefixes: readonly string[]): (key: string) => boolean {
	const sorted: string[] = [];
	for (const prefix of [...prefixes].sort()) {
		const last = sorted.at(-1);
		if (last === undefined || !prefix.startsWith(last)) sorted.push(prefix);
	}
	return (key) => {
		let low = 0;
		let high = sorted.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if ((sorted[middle] ?? '') <= key) low = middle + 1;
			else high = middle;
		}
		const nearest = sorted[low - 1];
		return nearest !== undefined && key.startsWith(nearest);
	};
}

/**
 * Whether a known URL exists, by its manifest: `listed`, `removed` if the manifest
 * describes the whole site without it, or `undescribed`, which is neither removed nor unchanged (pagedigest §5.1 step 4).
 */
export function describeKey(manifest: Manifest, key: string): 'listed' | 'removed' | 'undescribed' {
	if (manifest.entries.has(key)) return 'listed';
	return manifest.coverage?.mode === 'complete' ? 'removed' : 'undescribed';
}
