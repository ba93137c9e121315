import { nowhere } from '../internal/problem-maker.ts';
import type { PagedigestProblem } from './problems.ts';
import { pagedigestProblem } from './report.ts';
import type { Coverage, Manifest } from './types.ts';

/** How many problems of each kind are named one by one. */
const listed = 100;

/**
 * Mistakes from one manifest to the next: integers that fell, or that stayed while something
 * changed (pagedigest §3.1, §3.2, §4.1). Digests tell of changes only where both manifests have them.
 */
export function checkSuccession(previous: Manifest, next: Manifest): readonly PagedigestProblem[] {
	const problems: PagedigestProblem[] = [];
	const before = previous.siteRev;
	const after = next.siteRev;
	if (after < before) problems.push(pagedigestProblem('pagedigest-site-rev-decreased', nowhere, { before, after }));
	const what = after === before ? whatChanged(previous, next) : undefined;
	if (what !== undefined) problems.push(pagedigestProblem('pagedigest-site-rev-not-raised', nowhere, { before, what }));
	let omitted = 0;
	for (const problem of entryProblems(previous, next)) {
		if (problems.length < listed) problems.push(problem);
		else omitted++;
	}
	if (omitted > 0) problems.push(pagedigestProblem('pagedigest-omitted', nowhere, { count: omitted }));
	return problems;
}

function* entryProblems(previous: Manifest, next: Manifest): Iterable<PagedigestProblem> {
	for (const [key, entry] of next.entries) {
		const old = previous.entries.get(key);
		if (old === undefined) continue;
		const args = { key, before: old.rev, after: entry.rev };
		const comparable = old.digest !== undefined && entry.digest !== undefined;
		const sameBytes = comparable && old.digest === entry.digest;
		if (entry.rev < old.rev) yield pagedigestProblem('pagedigest-rev-decreased', nowhere, args);
		else if (entry.rev === old.rev && comparable && !sameBytes)
			yield pagedigestProblem('pagedigest-rev-not-raised', nowhere, args);
		else if (entry.rev > old.rev && sameBytes) yield pagedigestProblem('pagedigest-rev-without-change', nowhere, args);
	}
}

/** The first thing that should have raised `site_rev`. */
function whatChanged(previous: Manifest, next: Manifest): string | undefined {
	if (!sameCoverage(previous.coverage, next.coverage)) return 'coverage';
	for (const [key, { rev }] of next.entries) if (previous.entries.get(key)?.rev !== rev) return key;
	for (const key of previous.entries.keys()) if (!next.entries.has(key)) return key;
	return undefined;
}

/** Whether two coverages describe the same set; the order of the prefixes does not matter. */
export function sameCoverage(a: Coverage | undefined, b: Coverage | undefined): boolean {
	const prefixes = (coverage: Coverage | undefined) =>
		coverage?.mode === 'prefixes' ? [...new Set(coverage.prefixes)].sort() : [];
	return a?.mode === b?.mode && JSON.stringify(prefixes(a)) === JSON.stringify(prefixes(b));
}
