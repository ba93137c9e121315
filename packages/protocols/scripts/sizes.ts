// What each part of @wayleave/protocols weighs in a bundle; ends with 1 when one is over its limit.
// Usage: npx tsx packages/protocols/scripts/sizes.ts
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundle, gzipSize, subpaths } from './bundle.ts';

/** The catalogue of known agents is data that only its importers load. */
const catalogue = '*/catalogue.ts';
/**
 * Bytes, gzipped. A crawler on the edge loads `robots, one question`, with the record keys of all vocabularies. `robots`
 * includes lint, which compares groups and lines that swallow others: 2 KiB that only users of `checkRobots` load. The
 * whole was 40 KiB before it recognised agents by whole product tokens and read robots.txt in UTF-16 and with invisible
 * blanks (8 KiB), because a wrong verdict costs a site more; 48 KiB before each vocabulary brought its sentences and its
 * publishing along (3 KiB), which gateways load anyway; and 51 KiB before words were counted in one pass and cheap first
 * questions came before the index (1.7 KiB), which halve the time of each. One question was under 7,100 bytes before array
 * accesses that the types cannot prove had a default, and under 7,150 before it looked only at names with the right initial
 * and at the first octets of a rule: 0.4 KiB for a third of the time.
 */
const limits: Record<string, number> = {
	'robots, one question': 7_550,
	robots: 10_450,
	'all without catalogue': 54_650,
};

const parts = subpaths().filter(({ source }) => existsSync(source));
/** Without what our packages share, and without lint, which brings the sentences of all problems. */
const drafts = parts.filter(({ name }) => !/^(?:url|text|lint)\b/.test(name));
/** The sentences of problems are of `./NAME/problems`: who only reads files reports codes and loads none. */
const sentences = parts
	.map(({ name, source }) => ({ name: `${name}_problems`, source: join(dirname(source), 'problems.ts') }))
	.filter(({ source }) => existsSync(source));
const rows: [name: string, entries: typeof parts][] = [
	...parts.flatMap((part): [string, typeof parts][] => [
		...(part.name === 'robots'
			? [['robots, one question', [{ ...part, names: ['parseRobots', 'matchRobots'] }]] as [string, typeof parts]]
			: []),
		[part.name, [part]],
	]),
	['all without catalogue', drafts],
	['the same and sentences', [...drafts, ...sentences]],
];

let over = 0;
for (const [name, entries] of rows) {
	const text = await bundle(entries, { without: [catalogue] });
	const size = gzipSize(text);
	const limit = limits[name];
	const verdict = limit === undefined ? '' : size < limit ? `under ${limit}` : `OVER ${limit}`;
	if (limit !== undefined && size >= limit) over++;
	console.log(
		`${name.padEnd(24)} ${String(text.length).padStart(7)} bytes ${String(size).padStart(6)} gzip  ${verdict}`.trimEnd(),
	);
}
process.exitCode = over === 0 ? 0 : 1;
