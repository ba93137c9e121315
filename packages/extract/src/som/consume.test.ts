import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countTokens } from '../tokens/index.ts';
import { fitSom } from './fit.ts';
import { applySomPatch, diffSom } from './patch.ts';
import { actionableElements, parseSom } from './read.ts';
import { somToMarkdown } from './to-markdown.ts';
import { htmlToSom } from './to-som.ts';
import { somToTree } from './tree.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const compile = (body: string) => htmlToSom(body, 'https://example.com/', { sha256 });

describe('reading', () => {
	it('SOMD-45 accepts 0.1 and later minor steps, refuses what it does not know', () => {
		const som = compile('<p>x');
		const read = (version: unknown) => parseSom({ ...som, som_version: version }).value !== undefined;
		expect(['0.1', '0.2', '1', '1.0', '1.7'].map(read)).toEqual([true, true, true, true, true]);
		expect(['9.0', '2.0', '0.0', '0', 'x', 1].map(read)).toEqual([false, false, false, false, false, false]);
		expect(parseSom({ ...som, som_version: '9.0' }).problems[0]).toMatchObject({
			code: 'som-unknown-version',
			args: { version: '9.0' },
		});
	});

	it('SOMD-46 reads what it writes', () => {
		const som = compile('<main><h1>T</h1><p>a <a href=/b>b</a><ul><li>c</ul><input type=search></main>');
		expect(parseSom(JSON.stringify(som))).toEqual({ value: som, problems: [] });
	});

	it('SOMD-47 refers to elements by their id', () => {
		const som = compile('<p>x</p><a href=/a>a</a><button>b</button>');
		const ids = new Set(som.regions.flatMap((region) => region.elements.map((element) => element.id)));
		const found = actionableElements(som);
		expect(found.map((element) => element.text)).toEqual(['a', 'b']);
		expect(found.every((element) => ids.has(element.id))).toBe(true);
	});

	it('SOMD-48 skips unknown roles and says so', () => {
		const som = compile('<main><p>x</p></main>') as unknown as {
			regions: { role: string; elements: { id: string; role: string }[] }[];
		};
		som.regions[0]!.elements.unshift({ id: 'e_1', role: 'carousel' });
		som.regions.push({ role: 'sidecar', elements: [] });
		const { value, problems } = parseSom(som);
		expect(value?.regions.map((region) => region.elements.map((element) => element.role))).toEqual([['paragraph']]);
		expect(problems.map((problem) => problem.args.path)).toEqual(['/regions/0/elements/0', '/regions/1']);
	});

	it('SOMD-01 says what is missing or wrong in the frame', () => {
		expect(parseSom('{').problems[0]?.code).toBe('som-not-json');
		expect(parseSom('[]').problems[0]?.code).toBe('som-not-an-object');
		const { title: _, ...rest } = compile('<p>x');
		expect(parseSom(rest).problems).toMatchObject([{ code: 'som-missing-field', args: { path: '/title' } }]);
		expect(parseSom({ ...rest, title: 1 }).problems).toMatchObject([{ code: 'som-wrong-type' }]);
		expect(parseSom({ ...rest, title: '', regions: [{}] }).problems).toMatchObject([{ code: 'som-wrong-type' }]);
	});
});

describe('changes', () => {
	const page = (items: readonly string[], title: string) =>
		compile(
			`<title>${title}</title><main>${items.map((item) => `<h2>${item}</h2><p>About ${item}.</p>`).join('')}</main>`,
		);

	it('SOMD-44 a patch of add, remove and replace leads from one document to the next', () => {
		const before = page(['a', 'b', 'c'], 'one');
		const after = page(['b', 'c', 'd'], 'two');
		const patch = diffSom(before, after);
		expect(applySomPatch(before, patch)).toEqual(after);
		expect(new Set(patch.map(({ op }) => op))).toEqual(new Set(['add', 'remove', 'replace']));
		expect(diffSom(before, before)).toEqual([]);
	});

	it('SOMD-44 for any two documents', () => {
		const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 8 });
		fc.assert(
			fc.property(words, words, fc.boolean(), (one, other, shuffled) => {
				const before = page(one, 'same');
				const after = page(other, 'same');
				if (shuffled) for (const region of after.regions) region.elements.reverse();
				expect(applySomPatch(before, diffSom(before, after))).toEqual(after);
			}),
		);
	});

	it('refuses a patch that was made for another document', () => {
		const som = compile('<p>x');
		expect(() => applySomPatch(som, [{ op: 'remove', path: '/regions/7' }])).toThrow(RangeError);
		expect(() => applySomPatch(som, [{ op: 'replace', path: '/nothing/x', value: 1 }])).toThrow(RangeError);
		const polluted = applySomPatch(som, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]);
		expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
		expect(polluted.url).toBe(som.url);
	});
});

describe('a token budget', () => {
	const big = () =>
		compile(
			`<nav>${Array.from({ length: 60 }, (_, n) => `<a href=/${n}>Menu entry ${n}</a>`).join('')}</nav>
			<main>${Array.from({ length: 9 }, (_, n) => `<h2>Part ${n}</h2><p>Text of part ${n} with a few words.</p>`).join('')}</main>`,
		);

	it('is kept, the least valuable goes first, and the document says what went', () => {
		const som = big();
		const budget = Math.floor(countTokens(JSON.stringify(som)) / 3);
		const report = fitSom(som, budget, countTokens);
		expect(report.fits).toBe(true);
		expect(countTokens(JSON.stringify(som))).toBeLessThanOrEqual(budget);
		expect(Object.keys(report.dropped)).toEqual(['link']);
		const main = som.regions.find((region) => region.role === 'main')!;
		expect(main.elements.filter((element) => element.role === 'heading')).toHaveLength(9);
		expect(main.elements.at(-1)?.text).toMatch(/^\[dropped to fit the token budget: \d+ link\]$/);
		expect(som.meta.element_count).toBe(som.regions.flatMap((region) => region.elements).length);
	});

	it('counts what is written: as Markdown the same page has more of its content within the same budget', () => {
		const som = big();
		const budget = countTokens(somToMarkdown(som)) - 100;
		const report = fitSom(som, budget, countTokens, (fitted) => somToMarkdown(fitted));
		expect(report.fits).toBe(true);
		const kept = countTokens(somToMarkdown(som));
		expect(kept).toBeLessThanOrEqual(budget);
		expect(kept).toBeGreaterThan(budget / 2);
		expect(Object.keys(report.dropped)).toEqual(['link']);
	});

	it('changes nothing when there is room, and says so when there is none', () => {
		const som = big();
		const before = JSON.stringify(som);
		expect(fitSom(som, 100_000, countTokens)).toMatchObject({ fits: true, dropped: {} });
		expect(JSON.stringify(som)).toBe(before);
		expect(fitSom(som, 10, countTokens).fits).toBe(false);
	});
});

it('becomes Markdown', () => {
	const som = compile(
		'<main><h1>T*</h1><p>Some text.</p><ol><li>one<li>two</ol><table><tr><th>a<th>b<tr><td>1|2<td>3</table><img src=/i alt=I><a href="/x y">x</a></main>',
	);
	expect(somToMarkdown(som)).toBe(
		'# T\\*\n\nSome text.\n\n1. one\n2. two\n\n| a | b |\n| --- | --- |\n| 1\\|2 | 3 |\n\n![I](/i)\n\n- [x](/x%20y)\n',
	);
});

it('becomes the tree that a browser would expose', () => {
	const som = compile(
		'<title>T</title><nav aria-label=Main><a href=/a aria-current=page>A</a></nav><main><h1>H</h1><ul><li>i</ul></main>',
	);
	expect(somToTree(som)).toEqual({
		role: 'document',
		name: 'T',
		children: [
			{
				role: 'navigation',
				name: 'Main',
				children: [{ role: 'link', name: 'A', url: '/a', states: { current: 'page' } }],
			},
			{
				role: 'main',
				children: [
					{ role: 'heading', name: 'H', level: 1 },
					{ role: 'list', children: [{ role: 'listitem', name: 'i' }] },
				],
			},
		],
	});
});
