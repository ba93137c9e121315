import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { needsShared, sharedPath } from '../../../../scripts/shared.ts';
import { checkSomDocument, isSupportedSomVersion } from './index.ts';

const document = {
	som_version: '0.1',
	url: 'https://example.com/',
	title: 'T',
	lang: 'en',
	regions: [{ id: 'r_main', role: 'main', elements: [{ id: 'e_1', role: 'heading', text: 'T', attrs: { level: 1 } }] }],
	meta: { html_bytes: 10, som_bytes: 20, element_count: 1, interactive_count: 0 },
};
const check = (changes: object) =>
	checkSomDocument(JSON.stringify({ ...document, ...changes })).map(
		({ code, args }) => `${code} ${args.pointer ?? ''}`,
	);

describe('SOM document', () => {
	it('a sound one has no problems', () => {
		expect(check({})).toEqual([]);
		expect(check({ later: 1 })).toEqual([]);
	});

	it('AMB-71 0.1 and later, 1 and 1.x are read, the rest is refused', () => {
		expect(['0.1', '0.2', '0.10', '1', '1.0', '1.4'].every(isSupportedSomVersion)).toBe(true);
		expect(['0', '0.0', '2', '2.0', '1.', 'SOM/1.0', '', '01.1', 1].some(isSupportedSomVersion)).toBe(false);
		expect(check({ som_version: '2.0' })).toEqual(['som-document-unsupported-version /som_version']);
	});

	it('names what is missing or wrong', () => {
		expect(check({ title: undefined })).toEqual(['som-document-missing-field /title']);
		expect(check({ som_version: 0.1 })).toEqual(['som-document-wrong-type /som_version']);
		const regions = [{ id: 'main', role: 'centre', elements: [{ role: 'div' }] }];
		expect(check({ regions })).toEqual([
			'som-document-wrong-value /regions/0/id',
			'som-document-wrong-value /regions/0/role',
			'som-document-missing-field /regions/0/elements/0/id',
			'som-document-wrong-value /regions/0/elements/0/role',
		]);
	});

	it('names empty regions and repeated identifiers, with their place', () => {
		const [region] = document.regions;
		const regions = [region, { id: 'r_aside', role: 'aside', elements: [] }, { ...region, id: 'r_main_1' }];
		const text = JSON.stringify({ ...document, regions }, undefined, 2);
		const lines = text.split('\n');
		expect(checkSomDocument(text).map(({ code, line }) => [code, lines[line - 1]!.trim()])).toEqual([
			['som-document-empty-region', '{'],
			['som-document-repeated-id', '"id": "e_1",'],
		]);
	});

	it('names the place where JSON ends, and a byte order mark', () => {
		expect(checkSomDocument('{"a":1\n]')).toMatchObject([{ code: 'som-document-not-json', line: 2, column: 1 }]);
		expect(checkSomDocument('['.repeat(300) + ']'.repeat(300))).toMatchObject([{ code: 'som-document-too-deep' }]);
		expect(checkSomDocument(`\ufeff${JSON.stringify(document)}`)).toMatchObject([
			{ code: 'som-document-byte-order-mark' },
		]);
	});

	it('no text throws', () => {
		fc.assert(fc.property(fc.string(), (text) => void checkSomDocument(text)));
		fc.assert(fc.property(fc.json(), (text) => void checkSomDocument(text)));
	});
});

const schemaPath = sharedPath('vectors/som/som-schema.json');
describe.skipIf(schemaPath === undefined)(`som-schema.json ${needsShared}`, () => {
	it('refuses whatever is called an error here', () => {
		const conforms = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(schemaPath!, 'utf8')));
		expect(conforms(document)).toBe(true);
		const paths = (value: unknown, path: string[] = []): string[][] =>
			typeof value === 'object' && value !== null
				? Object.entries(value).flatMap(([name, inner]) => [[...path, name], ...paths(inner, [...path, name])])
				: [];
		const odd = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(undefined, -1, 0.5, 'aside', 'r_x_1', []));
		let refused = 0;
		fc.assert(
			fc.property(fc.constantFrom(...paths(document)), odd, (path, value) => {
				const changed = structuredClone(document);
				let place = changed as unknown as Record<string, unknown>;
				for (const name of path.slice(0, -1)) place = place[name] as Record<string, unknown>;
				place[path.at(-1)!] = value;
				const text = JSON.stringify(changed);
				const found = checkSomDocument(text).filter(({ severity }) => severity === 'error');
				// Which versions are read is the consumer's rule; the schema takes any text.
				fc.pre(found.every(({ code }) => code !== 'som-document-unsupported-version'));
				if (found.length > 0) refused++;
				if (found.length > 0) expect(conforms(JSON.parse(text)), text).toBe(false);
			}),
			{ numRuns: 500 },
		);
		expect(refused).toBeGreaterThan(100);
	});
});
