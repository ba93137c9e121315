import { parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { matchRobots, parseRobots } from '../robots/index.ts';
import {
	formatSomLink,
	formatSomMeta,
	formatSomRecords,
	formatSomSchemaOrg,
	parseSomLink,
	parseSomMeta,
	parseSomRecords,
	parseSomSchemaOrg,
	resolveSom,
	type SomSettings,
} from './index.ts';

const settings: SomSettings = {
	endpoint: 'https://example.com/som?a="<&',
	format: 'markdown',
	scope: 'article-body',
	freshness: 1800,
	tokenBudget: 3000,
};
const page = 'https://example.com/article/123?x=1&y=2';

function readMeta(html: string) {
	return parseFragment(html).childNodes.flatMap((node) => {
		const attrs = 'attrs' in node ? Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])) : {};
		return attrs.name === undefined ? [] : [{ name: attrs.name, content: attrs.content ?? '' }];
	});
}

describe('SOM-24 the four layers that a publisher writes', () => {
	const robots = parseRobots(`User-agent: *\nAllow: /\n\n${formatSomRecords(settings)}`).value;
	const layers = {
		robots: parseSomRecords(robots.records),
		meta: parseSomMeta(readMeta(formatSomMeta(settings))),
		link: parseSomLink(formatSomLink(settings, page), page),
		'schema-org': parseSomSchemaOrg([formatSomSchemaOrg(settings, page, 1200)], page),
	};

	it('say the same and are read without a problem', () => {
		const { offer } = resolveSom({ robots: layers.robots.value }, page);
		expect(offer).toMatchObject({ format: 'markdown', scope: 'article-body', freshness: 1800, tokenBudget: 3000 });
		for (const [layer, { value, problems }] of Object.entries(layers)) {
			expect(problems, layer).toEqual([]);
			const found = resolveSom({ [layer]: value }, page).offer!;
			expect(found.url, layer).toBe(offer!.url);
			expect(found.format, layer).toBe('markdown');
			if (layer !== 'link') expect(found.scope, layer).toBe('article-body');
		}
	});

	it('AMB-68 AMB-72 have the full path and the format, whatever was left out', () => {
		expect(formatSomRecords({ endpoint: 'https://example.com' })).toBe(
			'SOM-Endpoint: https://example.com/v1/som\nSOM-Format: SOM/1.0\nSOM-Scope: full-page\n',
		);
		const tree = formatSomLink({ endpoint: 'https://example.com', format: 'accessibility-tree' }, page);
		expect(parseSomLink(tree, page).problems).toEqual([]);
	});

	it('are refused for what cannot be announced', () => {
		const refused = { code: 'som-settings-invalid' };
		expect(() => formatSomRecords({ endpoint: '/som' })).toThrow(expect.objectContaining(refused));
		expect(() => formatSomRecords({ endpoint: 'https://a.test/som', freshness: -1 })).toThrow(
			expect.objectContaining(refused),
		);
		expect(() => formatSomLink({ endpoint: 'https://a.test/som' }, 'x')).toThrow(expect.objectContaining(refused));
	});
});

it('SOM-01 SOM lines change no decision, wherever they stand', () => {
	const lines = 'User-agent: A\nUser-agent: B\nDisallow: /x\nAllow: /x/y\n\nUser-agent: *\nDisallow: /z\n'.split('\n');
	const decide = (text: string) => {
		const file = parseRobots(text).value;
		return ['A', 'B', 'C'].flatMap((agent) =>
			['/', '/x', '/x/y', '/z'].map((path) => matchRobots(file, agent, `https://a.test${path}`).allowed),
		);
	};
	const plain = decide(lines.join('\n'));
	for (let at = 0; at <= lines.length; at++) {
		const mixed = [...lines.slice(0, at), formatSomRecords(settings).trim(), ...lines.slice(at)].join('\n');
		expect(decide(mixed)).toEqual(plain);
	}
});
