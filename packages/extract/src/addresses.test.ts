import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Addresses } from './addresses.ts';

const bases = [
	'https://example.com/',
	'https://example.com/a/b?c#d',
	'http://example.com:8080/x',
	'https://user:secret@example.com/a',
	'file:///a/b',
	'nonsense',
];
const urlPieces =
	'/ // a B 1 . .. ? # %2e %41 % é \\ : @ & = + ~ \' " | [ ] http: https: https://example.com https://example.com/ HTTPS://Example.com:443/ example.com mailto:'
		.split(' ')
		.concat(' ', '\t');

/** As the standard has it; `URL.canParse` of Node 20 denies some once it is compiled. */
function standard(text: string, base: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

it('AMB-23 AMB-25 addresses are resolved as the URL standard says, plain or not', () => {
	const address = fc.array(fc.constantFrom(...urlPieces), { maxLength: 8 }).map((pieces) => pieces.join(''));
	fc.assert(
		fc.property(fc.constantFrom(...bases), address, (base, text) => {
			const trimmed = text.trim();
			const url = trimmed === '' ? undefined : standard(trimmed, base);
			const found = new Addresses(base).resolve(text);
			expect([found?.url, found?.host, found?.isWeb]).toEqual([
				url?.href,
				url?.hostname,
				url && /^https?:$/.test(url.protocol),
			]);
		}),
		{ numRuns: 2000 },
	);
});

it('CB-66 an address that a page has taken over from Markdown is read without its angle brackets', () => {
	const addresses = new Addresses('https://example.com/a/');
	expect(addresses.absolute('</product/x>')).toBe('https://example.com/product/x');
	expect(addresses.absolute(' < https://example.com/y > ')).toBe('https://example.com/y');
	expect(addresses.absolute('/a<b>')).toBe('https://example.com/a%3Cb%3E');
});
