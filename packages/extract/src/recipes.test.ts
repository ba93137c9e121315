import { expect, it } from 'vitest';
import { extract } from './extract.ts';
import { recipeLayouts, recipePages } from './testing/recipes.ts';

/** Letters and digits alone: cells and spans part a line in many ways. */
const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');
const times = (text: string, line: string): number => letters(text).split(letters(line)).length - 1;

it('has at least thirty layouts of recipes', () => {
	expect(recipeLayouts.length).toBeGreaterThanOrEqual(30);
});

it('finds at least 99 % of the ingredients of each layout, none of them twice', () => {
	const missing: string[] = [];
	const repeated: string[] = [];
	let count = 0;
	for (const { name, html, url, ingredients } of recipePages()) {
		const { text, markdown: source } = extract(html, url);
		// Addresses and tags are no part of a line.
		const markdown = source.replace(/\]\([^()]*\)|<\/?\w+>/g, '');
		for (const line of ingredients) {
			count++;
			const found = Math.min(times(text, line), times(markdown, line));
			if (found === 0) missing.push(`${name}: ${line}`);
			if (Math.max(times(text, line), times(markdown, line)) > 1) repeated.push(`${name}: ${line}`);
		}
	}
	expect(count).toBeGreaterThan(2000);
	expect(repeated).toEqual([]);
	expect(missing.slice(0, Math.max(0, missing.length - Math.floor(count / 100)))).toEqual([]);
});

it('shows the ingredients in the units that the page shows only', () => {
	for (const { name, html, url, others } of recipePages().filter((page) => page.name.includes('units')))
		for (const other of others) expect(times(extract(html, url).text, other), `${name}: ${other}`).toBe(0);
});

const recipePage = (body: string) => {
	const intro =
		'<p>红烧茄子是我家饭桌上最常见的一道菜，做法并不难，关键是茄子要先用盐腌一会儿，挤掉水分，这样吃起来软糯又不腻。</p>';
	return extract(
		`<!doctype html><html lang="zh"><title>红烧茄子</title><body><header><a href="/">Kitchen</a></header><main><h1>红烧茄子</h1>${intro}${body}</main></body></html>`,
		'https://kitchen.example/r/7',
	).text;
};
const needed = ['2 根 长茄子', '100 克 猪肉末', '4 瓣 大蒜', '适量 水淀粉'];
const list = `<ul>${needed.map((line) => `<li>${line}</li>`).join('')}</ul>`;
const steps =
	'<ol><li>茄子切成滚刀块，撒上盐拌匀，腌十几分钟以后把水挤干净备用。</li><li>锅里放油烧热，下茄子用中火慢慢煎软，盛出来放在一边。</li><li>把茄子倒回锅里烧几分钟，最后勾芡，撒上葱花就可以出锅了。</li></ol>';

it.each([
	[
		'in parts that open',
		`<details><summary>用料</summary>${list}</details><details open><summary>做法</summary>${steps}</details>`,
	],
	['below the steps', `<h2>做法</h2>${steps}<h2>用料</h2>${list}`],
	['above the steps', `<h2>用料</h2>${list}<h2>做法</h2>${steps}`],
])('keeps the ingredients of a short recipe %s', (_, body) => {
	const text = recipePage(body);
	for (const line of needed) expect(times(text, line), line).toBe(1);
});
