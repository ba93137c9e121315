// Prints the implemented version of each specification, as the table of docs/reference/specifications.md.
// Usage: npm run specs
import { readFileSync } from 'node:fs';

const [head = [], ...rows] = readFileSync(new URL('../conformance/specs.tsv', import.meta.url), 'utf8')
	.trimEnd()
	.split('\n')
	.map((line) => line.split('\t'));

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`.replaceAll('  ', ' ');

/** The table in Markdown. */
export const specsTable = (): string =>
	[line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');

if (process.argv[1] !== undefined && import.meta.url.endsWith('/specs.ts') && process.argv[1].endsWith('specs.ts'))
	process.stdout.write(`${specsTable()}\n`);
