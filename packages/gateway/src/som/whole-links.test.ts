import { expect, it } from 'vitest';
import { representationOf } from './represent.ts';

const words = 'The harbour office publishes the tide tables once a month. '.repeat(8);
const links = `<a href="next">next</a> <a href="../up">up</a> <a href="/root?a=1#part">root</a> <a href="?page=2">query</a>
<a href="//other.test/x">other</a> <img src="pic.png" alt="Quay">`;
const page = (head = '') =>
	`<!doctype html><html><head><title>T</title>${head}</head><body><main><h1>T</h1><p>${words}${links}</p></main></body></html>`;

it.each([
	['a folder', '', 'https://a.test/docs/a/'],
	['a base', '<base href="/elsewhere/deep/">', 'https://a.test/elsewhere/deep/'],
])('links in Markdown of a page with %s are absolute', async (_, head, folder) => {
	const choice = { format: 'markdown', scope: 'main-content' } as const;
	const { body, tokens } = await representationOf(page(head), 'https://a.test/docs/a/', choice as never, false);
	const text = new TextDecoder().decode(body);
	const targets = [...text.matchAll(/\]\(([^)\s]+)/g)].map(([, target = '']) => target);
	for (const target of [`${folder}next`, new URL('../up', folder).href, 'https://a.test/root?a=1#part'])
		expect(targets).toContain(target);
	expect(targets.filter((target) => !/^https?:\/\//.test(target))).toEqual([]);
	expect(tokens).toBeGreaterThan(0);
});
