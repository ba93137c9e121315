import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { decodeHTML } from 'entities';
import { describe, expect, it } from 'vitest';
import { chosenPages } from './testing/chosen-pages.ts';
import type { MadePage } from './testing/facts.ts';
import { reportedPages } from './testing/reported-pages.ts';
import { type Kind, schemas } from './testing/schemas.ts';
import { score } from './testing/score.ts';
import { unseenPages } from './testing/unseen-pages.ts';
import { unseenSchemas } from './testing/unseen-schemas.ts';
import type { Fields } from './types.ts';

/** Another implementation, which knows the annotations of ours as words only. */
function judges(schemas: Readonly<Record<Kind, object>>) {
	const draft7 = new Ajv({ strict: false, validateFormats: false });
	const draft2020 = new Ajv2020({ strict: false, validateFormats: false });
	return Object.fromEntries(
		Object.entries(schemas).map(([kind, schema]) => [kind, (kind === 'job' ? draft7 : draft2020).compile(schema)]),
	);
}

const squeezed = (text: string) => decodeHTML(text).replace(/<[^>]*>|\s+/g, '');

/** Another implementation accepts what is said to be valid, and each value or its raw text is in the page. */
function expectSound(validators: ReturnType<typeof judges>, { html, kind }: MadePage, fields: Fields) {
	const validate = validators[kind]!;
	expect([fields.valid, validate(fields.values), validate.errors]).toEqual([
		fields.valid,
		fields.valid,
		fields.valid ? null : expect.anything(),
	]);
	const page = squeezed(html) + html.replace(/\s+/g, '');
	for (const [pointer, source] of Object.entries(fields.sources)) {
		const value = pointer
			.split('/')
			.slice(1)
			.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], fields.values);
		if (source.from !== 'page') expect(page, pointer).toContain(squeezed(String(source.raw ?? value)));
	}
}

describe('fields of made-up pages', () => {
	it.each([
		['chosen', chosenPages, 1, 1],
		['reported', reportedPages, 77, 0.95],
	] as const)(
		'the %s half: at least 0.95 of the fields are right, and none is invented',
		async (_, make, seed, least) => {
			const pages = make(seed);
			expect(pages).toHaveLength(30);
			const validators = judges(schemas);
			const { stated, right, wrong, missing } = await score(pages, (page, fields) =>
				expectSound(validators, page, fields),
			);
			expect(wrong).toEqual([]);
			expect(right + missing.length).toBe(stated);
			expect(right / stated).toBeGreaterThanOrEqual(least);
		},
	);

	it('sixty others, written apart from the rules, with other schemas, languages and decoys: the same', async () => {
		const pages = unseenPages();
		expect(pages).toHaveLength(60);
		const validators = judges(unseenSchemas);
		const sound = (page: MadePage, fields: Fields) => expectSound(validators, page, fields);
		const { stated, right, wrong } = await score(pages, sound, unseenSchemas);
		expect(wrong).toEqual([]);
		expect(right / stated).toBeGreaterThanOrEqual(0.95);
	});

	it('every kind of page is in both halves', () => {
		const kinds: Kind[] = ['event', 'job', 'product', 'recipe'];
		for (const pages of [chosenPages(1), reportedPages(77)])
			expect([...new Set(pages.map(({ kind }) => kind))].sort()).toEqual(kinds);
	});
});
