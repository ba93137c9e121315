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
	const last = part.map((both) => both.join(''));
	const before = fc.constantFrom('', '.a ', 'ul>', 'p ~ ', '\n', '.q:hover > ');
	const after = fc.constantFrom('', ':hover', '::before', ' ');
	const selector = fc.tuple(before, last, after);
	fc.assert(
		fc.property(body, fc.array(selector, { minLength: 1, maxLength: 3 }), (root, selectors) => {
			const css = selectors.map((parts) => parts.join('')).join(',');
			const known = namesOf(root);
			const hasNone = selectors.every(([, name]) => !known.has(name.toLowerCase()));
			expect(NameTable.of(root).hasNoneOf(`x{}${css}{}`, 3, 3 + css.length)).toBe(hasNone);
		}),
	);
});

it('keeps names apart in a page that has thousands', () => {
	const html = Array.from({ length: 3_000 }, (_, i) => `<i class="n${i} m${i}" id="N${i}"></i>`).join('');
	const table = NameTable.of(parseHtml(html).body);
	for (let i = 0; i < 6_000; i++)
		for (const mark of ['.n', '.m', '#n']) expect(table.lacks(`${mark}${i}`)).toBe(i >= 3_000);
});
