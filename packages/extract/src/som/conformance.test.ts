import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { needsShared, sharedPath } from '../../../../scripts/shared.ts';
import { htmlToSom } from './to-som.ts';
import type { SomDocument } from './types.ts';

const folder = sharedPath('vectors/som');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** Their `interactive_count` differs from the interactive elements of their own HTML (AMB-82). */
const wrongCounts: Readonly<Record<string, number>> = {
	'009-aria-roles': 8,
	'010-dialog': 3,
	'011-radio-checkbox': 8,
	'015-action-state': 6,
};

describe.skipIf(folder === undefined)(`the published SOM fixtures ${needsShared}`, () => {
	const cases = `${folder}/conformance`;
	const names =
		folder === undefined
			? []
			: readdirSync(cases)
					.filter((name) => name.endsWith('.html'))
					.map((name) => name.slice(0, -5));
	const validate =
		folder === undefined
			? undefined
			: new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(`${folder}/som-schema.json`, 'utf8')));

	it.each(names)('SOMD-49 %s matches', (name) => {
		const expected = JSON.parse(readFileSync(`${cases}/${name}.expected.json`, 'utf8'));
		const actual = htmlToSom(readFileSync(`${cases}/${name}.html`, 'utf8'), expected.url, { sha256 });
		expect(mismatches(actual, expected), JSON.stringify(actual.regions, null, 1)).toEqual([]);
		expect(actual.meta.interactive_count).toBe(wrongCounts[name] ?? expected.meta.interactive_count);
		if (expected.structured_data) expect(actual.structured_data).toMatchObject(expected.structured_data);
		expect(validate!(actual), JSON.stringify(validate!.errors)).toBe(true);
	});
});

interface ExpectedElement {
	role: string;
	[field: string]: unknown;
}

/** Every expected region and element must be there, in order; fields that are not given are not compared. */
function mismatches(
	actual: SomDocument,
	expected: { regions: { id?: string; role: string; label?: string; elements: ExpectedElement[] }[] },
): string[] {
	const wrong: string[] = [];
	for (const region of expected.regions) {
		if (region.elements.length === 0) continue; // AMB-83
		const { elements, ...head } = region;
		const found = actual.regions.find((one) => (head.id === undefined ? one.role === head.role : one.id === head.id));
		if (found === undefined || !matches(found, head)) {
			wrong.push(`region ${JSON.stringify(head)}`);
			continue;
		}
		let at = 0;
		for (const element of elements) {
			const index = found.elements.findIndex((one, position) => position >= at && matches(one, element));
			if (index < 0) wrong.push(`${found.id}: ${JSON.stringify(element)}`);
			else at = index + 1;
		}
	}
	return wrong;
}

function matches(actual: unknown, expected: unknown): boolean {
	if (Array.isArray(expected)) {
		return (
			Array.isArray(actual) &&
			expected.length === actual.length &&
			expected.every((one, index) => matches(actual[index], one))
		);
	}
	if (typeof expected === 'object' && expected !== null) {
		if (typeof actual !== 'object' || actual === null) return false;
		return Object.entries(expected).every(([key, value]) => matches((actual as Record<string, unknown>)[key], value));
	}
	return actual === expected;
}
