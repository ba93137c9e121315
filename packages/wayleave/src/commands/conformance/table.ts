import { existsSync } from 'node:fs';
import { FileError, noSuchFile } from '@wayleave/io/messages';
import { textOf } from '@wayleave/protocols';
import { z } from 'zod';
import { readFrom } from '../../shared/options/read-named.ts';
import { UsageError } from '../../terminal/command.ts';
import { packageFile } from '../../terminal/package-files.ts';

/** The requirements of the drafts, each with the tests that show it, as `conformance/report.ts` writes them. */
const shape = z.object({
	/** When the tests ran, RFC 3339. */
	tested: z.string(),
	/** How many tests there were, these and others. */
	tests: z.number(),
	/** In how many of all test files, and by which names, where only some were run. */
	run: z.object({ files: z.number(), of: z.number(), named: z.string().optional() }),
	rows: z.array(
		z.object({
			id: z.string(),
			source: z.string(),
			level: z.string(),
			side: z.string(),
			requirement: z.string(),
			observe: z.string(),
			state: z.enum(['shown', 'failing', 'skipped', 'listed', 'open']),
			tests: z.array(z.object({ file: z.string(), title: z.string(), state: z.string() })),
		}),
	),
});

export type ConformanceTable = z.infer<typeof shape>;
export type ConformanceRow = ConformanceTable['rows'][number];

/** Beside the command, made when it is packed. */
const packed = packageFile('conformance.json');

/** @throws FileError, and UsageError where the file holds something else */
export function readTable(file = packed): ConformanceTable {
	if (file === packed && !existsSync(file)) {
		const hint = 'to make it, run `npm test` and then `npm run conformance` in a checkout';
		throw new FileError('file-not-found', file, `${noSuchFile}: ${hint}`);
	}
	const text = textOf(readFrom(file, file));
	try {
		return shape.parse(JSON.parse(text));
	} catch {
		throw new UsageError(`${file} is not a table written by \`npm run conformance\``);
	}
}

/** `R2` of `R2-46`. */
export const draftOf = (id: string): string => id.slice(0, id.lastIndexOf('-'));

export interface Wanted {
	/** Ids or drafts, in capitals; none for all. */
	readonly names: readonly string[];
	/** `crawler`, `publisher`, … */
	readonly side?: string | undefined;
}

/** @throws UsageError for what no row has */
export function choose({ rows }: ConformanceTable, { names, side }: Wanted): ConformanceRow[] {
	const drafts = [...new Set(rows.map(({ id }) => draftOf(id)))];
	const sides = [...new Set(rows.map((row) => row.side))];
	for (const name of names)
		if (!drafts.includes(name) && !rows.some(({ id }) => id === name))
			throw new UsageError(
				`${name} is not a requirement; the drafts are ${drafts.join(', ')}; a row ID looks like ${rows[0]?.id}`,
			);
	if (side !== undefined && !sides.includes(side))
		throw new UsageError(`--side ${side}: expected one of ${sides.join(', ')}`);
	return rows.filter(
		(row) =>
			(names.length === 0 || names.includes(row.id) || names.includes(draftOf(row.id))) &&
			(side === undefined || row.side === side),
	);
}
