import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NameTable } from './name-table.ts';
import { parseHtml } from './parse.ts';

const word = fc.constantFrom('a', 'B', 'c-d', 'C-D', 'é', 'É', 'x_1', 'long-name-of-a-part', 'K', 'td', 'p', '9');
const between = fc.constantFrom(' ', '\n', '\t ', '\u00a0');
const list = fc
	.array(fc.tuple(between, word), { maxLength: 5 })
	.map((parts) => parts.map((part) => part.join('')).join(''));
const element = fc
	.record({
		tag: fc.constantFrom('p', 'span', 'section', 'my-part'),
		list,
		id: fc.option(word),
		isNoscript: fc.boolean(),
	})
	.map(({ tag, list, id, isNoscript }) => {
		const html = `<${tag} class="${list}"${id === null ? '' : ` id="${id}"`}>x</${tag}>`;
		return isNoscript ? `<noscript>${html.replaceAll('<', '&lt;')}</noscript>` : html;
	});
const body = fc.array(element, { maxLength: 8 }).map((parts) => parseHtml(`<body>${parts.join('')}`).body);

/** The names of a page, found simply. */
function namesOf(root: ReturnType<typeof parseHtml>['body']): Set<string> {
	const names = new Set(['span', root.tag]);
	const lower = (text: string): string => text.toLowerCase();
	for (const node of root.children) {
		if (node.kind === 'text') continue;
		names.add(node.tag);
		for (const name of lower(node.attributes.class ?? '').split(/\s+/)) if (name !== '') names.add(`.${name}`);
		if (node.attributes.id !== undefined) names.add(`#${lower(node.attributes.id)}`);
		const [only] = node.children;
		if (node.tag === 'noscript' && only?.kind === 'text')
			for (const [found] of lower(only.data).matchAll(/[\w-]+/g)) names.add(found).add(`.${found}`).add(`#${found}`);
	}
	return names;
}

it('knows the tags, classes and ids of a page, in either case', () => {
	const asked = fc.tuple(fc.constantFrom('', '.', '#'), word).map(([kind, name]) => kind + name.toLowerCase());
	fc.assert(
		fc.property(body, fc.array(asked, { minLength: 1 }), (root, names) => {
			const table = NameTable.of(root);
			const known = namesOf(root);
			for (const name of names) expect(table.lacks(name), name).toBe(!known.has(name));
			expect(table.lacks('*')).toBe(false);
			expect(table.lacks('[open')).toBe(false);
		}),
	);
});

it('sees that a page has no element for any selector of a list', () => {
	const part = fc.tuple(fc.constantFrom('', '.', '#'), fc.constantFrom('a', 'B', 'c-d', 'absent', 'No-9', 'x_1', 'td'));
	const more = fc.array(fc.tuple(fc.constantFrom('.', '#'), fc.constantFrom('a', 'absent', 'none')), { maxLength: 2 });
	const before = fc.constantFrom('', '.a ', 'ul>', 'p ~ ', '\n', '.q:hover > ', '[x="y z"] ', ':is(.a) ');
	const after = fc.constantFrom('', ':hover', '::before', ':after', ' ', '[y]', "[y='.b']", ':not(.b, p)');
	const selector = fc.tuple(before, part, more, after);
	type Parts = readonly [string, readonly string[], readonly (readonly string[])[], string];
	const isThere = ([, one, others, after]: Parts, known: ReadonlySet<string>): boolean => {
		if (/^::|^:after/.test(after)) return false;
		const names = [one, ...others].map((both) => both.join('').toLowerCase());
		const named = names.filter((name) => /^[.#]/.test(name));
		return (named.length > 0 ? named : names).some((name) => known.has(name));
	};
	fc.assert(
		fc.property(body, fc.array(selector, { minLength: 1, maxLength: 3 }), (root, selectors) => {
			const css = selectors.map((parts) => parts.flat(2).join('')).join(',');
			const known = namesOf(root);
			const hasNone = !selectors.some((parts) => isThere(parts, known));
			expect(NameTable.of(root).hasNoneOf(`x{}${css}{}`, 3, 3 + css.length), css).toBe(hasNone);
		}),
	);
});

it('does not take a name for absent that quotes, brackets or escapes may change', () => {
	const table = NameTable.of(parseHtml('<p class="a w-1.5 b:c">').body);
	const unsure = [
		'.w-1\\.5',
		'.b\\:c',
		'.a[x="]"]',
		'[x="p .none"]',
		'.a\\:before',
		":not([x='.none'])",
		'*',
		'[none]',
	];
	for (const css of unsure) expect(table.hasNoneOf(css, 0, css.length), css).toBe(false);
	for (const css of unsure) expect(table.lacksOneOf(css, 0, css.length), css).toBe(false);
	for (const css of ['.none .a', '.a .none > p', 'p.none', '.a:not(.b).none'])
		expect(table.lacksOneOf(css, 0, css.length), css).toBe(true);
	for (const css of ['.a p', '.a:not(.none)', '.a [x=".none"]'])
		expect(table.lacksOneOf(css, 0, css.length)).toBe(false);
});

it('finds the classes of a list', () => {
	const table = NameTable.ofClasses(['b', 'c-d', 'é']);
	const found = (list: string): number[] => table.numbersOf(list).sort();
	expect(found(' B x\tc-D b ')).toEqual([table.numberOf('.b'), table.numberOf('.c-d')]);
	expect(found('É')).toEqual([table.numberOf('.é')]);
	expect(found('bc-d')).toEqual([]);
});

it('keeps names apart in a page that has thousands', () => {
	const html = Array.from({ length: 3_000 }, (_, i) => `<i class="n${i} m${i}" id="N${i}"></i>`).join('');
	const table = NameTable.of(parseHtml(html).body);
	for (let i = 0; i < 6_000; i++)
		for (const mark of ['.n', '.m', '#n']) expect(table.lacks(`${mark}${i}`)).toBe(i >= 3_000);
});
