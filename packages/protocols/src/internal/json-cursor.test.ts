import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composite, JsonCursor, JsonSyntaxError } from './json-cursor.ts';

/** Passes over one JSON text; false where it is not JSON. */
function accepts(text: string): boolean {
	try {
		const cursor = new JsonCursor(text);
		cursor.skip();
		cursor.end();
		return true;
	} catch (error) {
		expect(error).toBeInstanceOf(JsonSyntaxError);
		return false;
	}
}

function accepted(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** Reads with the cursor what JSON.parse would give. */
function read(cursor: JsonCursor): unknown {
	if (cursor.isArray()) {
		const items: unknown[] = [];
		cursor.array(() => items.push(read(cursor)));
		return items;
	}
	if (!cursor.isObject()) return cursor.scalar();
	const members: [string, unknown][] = [];
	cursor.object((name) => members.push([name, read(cursor)]));
	return Object.fromEntries(members);
}

describe('JsonCursor, RFC 8259', () => {
	it('accepts exactly what JSON.parse accepts', () => {
		const fragment = fc.constantFrom(
			...['{', '}', '[', ']', ',', ':', '"a"', '"\\u00e9"', '"\\x"', '0', '01', '-', '-1.5e+3', '1.', 'true', 'nul'],
			...[' ', '\n', '\u00a0', '"\u0001"', '"', '\\', 'null', '.5', '1e', '\ufeff', '"\u2028"'],
		);
		fc.assert(
			fc.property(fc.array(fragment, { maxLength: 8 }), (parts) => {
				const text = parts.join('');
				expect(accepts(text), text).toBe(accepted(text));
			}),
			{ numRuns: 3000 },
		);
		fc.assert(
			fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 1 }), (text, place, insert) => {
				const broken = text.slice(0, place % (text.length + 1)) + insert + text.slice((place % (text.length + 1)) + 1);
				expect(accepts(text)).toBe(true);
				expect(accepts(broken), broken).toBe(accepted(broken));
			}),
		);
	});

	it('reads what JSON.parse reads', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.constantFrom(undefined, '\t'), (value, indent) => {
				const text = JSON.stringify(value, undefined, indent);
				expect(read(new JsonCursor(text))).toEqual(JSON.parse(text));
			}),
		);
	});

	it('passes over any depth', () => {
		expect(accepts('['.repeat(200_000) + ']'.repeat(200_000))).toBe(true);
		expect(accepts('{"a":['.repeat(100_000))).toBe(false);
	});

	it('a natural number is digits and nothing else', () => {
		const value = (text: string) => {
			const cursor = new JsonCursor(text);
			const number = cursor.naturalNumber();
			cursor.end();
			return number;
		};
		expect(['0', '7', ' 18294', '9007199254740991'].map(value)).toEqual([0, 7, 18294, Number.MAX_SAFE_INTEGER]);
		const odd = [
			'-0',
			'-1',
			'3.0',
			'1e3',
			'9007199254740992',
			'99999999999999999999',
			'"3"',
			'null',
			'true',
			'[1]',
			'{}',
		];
		expect(odd.map(value)).toEqual(odd.map(() => -1));
		expect(() => value('01')).toThrow(JsonSyntaxError);
		expect(() => value('')).toThrow(JsonSyntaxError);
	});

	it('gives composite values as such, and names with their offset', () => {
		expect(new JsonCursor('[1]').scalar()).toBe(composite);
		const cursor = new JsonCursor('{ "a": 1, "b\\n": {} }');
		const seen: [string, number][] = [];
		cursor.object((name, at) => {
			seen.push([name, at]);
			cursor.skip();
		});
		expect(seen).toEqual([
			['a', 2],
			['b\n', 10],
		]);
	});
});
