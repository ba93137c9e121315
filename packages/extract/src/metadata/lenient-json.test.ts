import { describe, expect, it } from 'vitest';
import { parseLenientJson } from './lenient-json.ts';

const value = (source: string): unknown => parseLenientJson(source)?.value;

describe('parseLenientJson', () => {
	it('valid JSON as it is', () => {
		expect(parseLenientJson(' {"a":[1,null,true,"x"]} ')).toEqual({
			value: { a: [1, null, true, 'x'] },
			repaired: false,
		});
	});
	it.each([
		['comments', '{/* a */"a":1,// b\n"b":2}', { a: 1, b: 2 }],
		['an address is no comment', '{"a":"https://b.c/d",}', { a: 'https://b.c/d' }],
		['trailing commas and semicolons', '{"a":[1,2,],};', { a: [1, 2] }],
		['doubled commas', '[1,,2]', [1, 2]],
		['CDATA', '//<![CDATA[\n{"a":1}\n//]]>', { a: 1 }],
		['HTML comments', '<!-- {"a":1} -->', { a: 1 }],
		['raw line breaks and tabs in strings', '{"a":"x\ny\tz"}', { a: 'x\ny\tz' }],
		['escaped quotes', '{&quot;a&quot;:&quot;x &amp; y&quot;}', { a: 'x & y' }],
		['single quotes and bare keys', "{a:'x',b:y}", { a: 'x', b: 'y' }],
		['quotes that were not escaped', '{"a":"say "hello" now","b":1}', { a: 'say "hello" now', b: 1 }],
		['a missing end', '{"a":{"b":[1,2', { a: { b: [1, 2] } }],
		['two documents', '{"a":1}{"b":2}', [{ a: 1 }, { b: 2 }]],
		['bad escapes', '{"a":"\\d \\u12"}', { a: 'd u12' }],
		['crossed brackets', '{"a":[1,2}', { a: [1, 2] }],
		['a byte order mark', '\ufeff{"a":1}', { a: 1 }],
	])('%s', (_, source, expected) => {
		expect(value(source)).toEqual(expected);
	});
	it('nothing that could be read', () => {
		expect(parseLenientJson('not json')).toBeUndefined();
		expect(parseLenientJson('')).toBeUndefined();
	});
	it('cuts too deep values, valid or not', () => {
		const deep = `${'{"a":['.repeat(20_000)}1${']}'.repeat(20_000)}`;
		expect(() => JSON.stringify(value(deep))).not.toThrow();
		expect(() => JSON.stringify(value('['.repeat(50_000)))).not.toThrow();
	});
	it('own keys only', () => {
		const parsed = value('{"__proto__":{"x":1},}') as object;
		expect(Object.hasOwn(parsed, '__proto__')).toBe(true);
		expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
	});
});
