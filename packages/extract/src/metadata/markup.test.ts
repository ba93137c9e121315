import { expect, it } from 'vitest';
import { parseHtml } from '../dom/parse.ts';
import { collect } from './collect.ts';
import { scopedItems } from './markup.ts';

const items = (html: string) => scopedItems(collect(parseHtml(html))).map(({ item }) => item);

it('microdata: an item holds its properties, and the items that are its properties', () => {
	const html = `<div itemscope itemtype="https://schema.org/Article"><h1 itemprop="headline">Ropes</h1>
		<p itemprop="author" itemscope itemtype="https://schema.org/Person"><a itemprop="name" href="/ada">Ada</a>
		<a itemprop="url" href="/ada">about</a></p><meta itemprop="datePublished" content="2020-01-02"></div>`;
	expect(items(html)).toEqual([
		{
			'@type': 'Article',
			headline: ['Ropes'],
			author: [{ '@type': 'Person', name: ['Ada'], url: ['/ada'] }],
			datePublished: ['2020-01-02'],
		},
	]);
});

it('RDFa lite says the same with other attributes', () => {
	const html = `<div vocab="https://schema.org/" typeof="Article" resource="#a"><h1 property="headline">Ropes</h1>
		<img property="image" src="/r.png"><a property="license" href="/l">free</a></div>`;
	expect(items(html)).toEqual([
		{ '@type': 'Article', '@id': '#a', headline: ['Ropes'], image: ['/r.png'], license: ['/l'] },
	]);
});

it('any name is a name', () => {
	expect(items('<p itemscope><b itemprop="constructor">C</b><b itemprop="__proto__">P</b>')).toHaveLength(1);
});

it('a property outside of any item, such as those of Open Graph, belongs to none', () => {
	expect(items('<meta property="og:title" content="T"><p itemprop="name">N</p>')).toEqual([]);
});
