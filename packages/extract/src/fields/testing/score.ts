import { extract } from '../../extract.ts';
import { readFieldSchema, type SchemaReader } from '../index.ts';
import type { Fields } from '../types.ts';
import type { MadePage } from './facts.ts';
import { type Kind, schemas } from './schemas.ts';

export interface Score {
	/** Fields that the pages state. */
	readonly stated: number;
	readonly right: number;
	/** Values that differ from what the page states, or that it does not state. */
	readonly wrong: readonly string[];
	readonly missing: readonly string[];
}

/** The leaves of a value by JSON pointer. */
export function leavesOf(value: unknown, pointer = ''): [string, unknown][] {
	if (typeof value !== 'object' || value === null) return [[pointer, value]];
	return Object.entries(value).flatMap(([name, own]) => leavesOf(own, `${pointer}/${name}`));
}

/** Fills the schemas from made pages, and compares with what these state. */
export async function score(
	pages: readonly MadePage[],
	each: (page: MadePage, fields: Fields) => void = () => {},
	own: Readonly<Record<Kind, unknown>> = schemas,
): Promise<Score> {
	const readers = new Map<Kind, SchemaReader>();
	let stated = 0;
	let right = 0;
	const wrong: string[] = [];
	const missing: string[] = [];
	for (const [index, page] of pages.entries()) {
		const reader = readers.get(page.kind) ?? (await readFieldSchema(own[page.kind]));
		readers.set(page.kind, reader);
		const { fields } = extract(page.html, page.url, { fields: reader }).page;
		if (fields === undefined) throw new Error('no fields');
		each(page, fields);
		const truth = new Map(leavesOf(page.truth));
		const found = new Map(leavesOf(fields.values));
		stated += truth.size;
		for (const [pointer, value] of truth) {
			const name = `${index} ${page.family} ${page.kind} ${pointer}`;
			if (!found.has(pointer)) missing.push(`${name}: ${JSON.stringify(value)}`);
			else if (found.get(pointer) === value) right++;
		}
		for (const [pointer, value] of found)
			if (truth.get(pointer) !== value)
				wrong.push(
					`${index} ${page.family} ${page.kind} ${pointer}: ${JSON.stringify(value)} for ${JSON.stringify(truth.get(pointer))}`,
				);
	}
	return { stated, right, wrong, missing };
}
