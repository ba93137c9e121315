import { describe, expect, it } from 'vitest';
import { extract } from '../extract.ts';

const paragraphs = Array.from(
	{ length: 6 },
	(_, i) =>
		`<p>Paragraph ${i} tells of the quay of a harbour town, of those who built it over many years, and of the storms that it has seen since then, and what they cost.</p>`,
).join('');

interface Page {
	readonly language?: string;
	readonly title?: string;
	readonly heading?: string;
	readonly head?: string;
	/** Under the heading. */
	readonly line?: string;
	/** After the article, in `main`. */
	readonly after?: string;
}

function read({
	language = 'en',
	title = 'The quay rebuilt',
	heading = title,
	head = '',
	line = '',
	after = '',
}: Page) {
	const html = `<!doctype html><html lang="${language}"><head><title>${title}</title>${head}</head><body><header><a href="/">Harbour News</a></header><main><article><h1>${heading}</h1>${line}${paragraphs}</article>${after}</main></body></html>`;
	return extract(html, 'https://harbour.example/2026/quay').page;
}

it.each([
	['de', '<p class="meta">Veröffentlicht am 3. März 2026</p>', '2026-03-03'],
	['de', '<p class="meta">03.03.2026, 14:05 Uhr</p>', '2026-03-03'],
	['es', '<p>Publicado el 3 de marzo de 2026</p>', '2026-03-03'],
	['fr', '<p>Publié le 1er mars 2026</p>', '2026-03-01'],
	['zh', '<p>发布时间：2026年3月3日 08:30</p>', '2026-03-03'],
	['ja', '<p>公開日：2026年3月3日（火）</p>', '2026-03-03'],
	['ko', '<p>입력 2026.03.03. 오전 9:12</p>', '2026-03-03'],
	['ar', '<p>نشر في 3 مارس 2026</p>', '2026-03-03'],
	['ar', '<p>تاريخ النشر: ٣ مارس ٢٠٢٦</p>', '2026-03-03'],
	['ru', '<p>Опубликовано 3 марта 2026 г.</p>', '2026-03-03'],
	['en', '<p>Updated: 5 March 2026 | Published: 3 March 2026</p>', '2026-03-03'],
])('the day that a page in %s shows: %s', (language, line, day) => {
	expect(read({ language, line }).published?.slice(0, 10)).toBe(day);
});

it('takes the day that the page shows, of the same instant', () => {
	const head = '<meta property="article:published_time" content="2026-03-03T01:30:00Z">';
	const page = read({ head, line: '<p>Published March 2, 2026 8:30 p.m. EST</p>' });
	expect(page.published?.slice(0, 10)).toBe('2026-03-02');
});

it.each([
	'<aside><h3>More</h3><time datetime="2025-01-01">1 Jan 2025</time></aside>',
	'<aside><p>Regatta on 4 May 2026</p></aside>',
])('takes no date from beside the article: %s', (after) => {
	expect(read({ after }).published).toBeUndefined();
});

it.each([
	['en', 'By Ann Marsh and Bob Reed', ['Ann Marsh', 'Bob Reed']],
	['en', 'By Ann Marsh, March 2, 2026 at 3pm', ['Ann Marsh']],
	['en', 'By Ann Marsh, Senior Editor', ['Ann Marsh']],
	['en', 'By Monday, March 2, 2026', undefined],
	['de', 'Von Anna Meyer', ['Anna Meyer']],
	['de', 'Von Anna Meyer und Jens Vogt', ['Anna Meyer', 'Jens Vogt']],
	['de', 'Von Anna und Peter', ['Anna', 'Peter']],
	['de', 'Von Redaktion und Agenturen', ['Redaktion und Agenturen']],
	['fr', 'Par Anne Dubois', ['Anne Dubois']],
	['fr', 'Par Anne Dubois et Luc de la Tour', ['Anne Dubois', 'Luc de la Tour']],
	['es', 'Por Ana López y Juan Ruiz', ['Ana López', 'Juan Ruiz']],
	['es', 'Por Ana López, Juan Ruiz y Eva Sol', ['Ana López', 'Juan Ruiz', 'Eva Sol']],
	['es', 'Por María López e Isabel de la Cruz', ['María López', 'Isabel de la Cruz']],
	['es', 'Por Ana y Juan Ruiz', ['Ana', 'Juan Ruiz']],
	['es', 'Por José Ortega y Gasset', ['José Ortega y Gasset']],
	['es', 'Por José Ortega y Gasset y Juan Ruiz', ['José Ortega y Gasset', 'Juan Ruiz']],
	['es', 'POR ANA LÓPEZ Y JUAN RUIZ', ['ANA LÓPEZ', 'JUAN RUIZ']],
	['it', 'Di Anna Rossi e Luca Bianchi', ['Anna Rossi', 'Luca Bianchi']],
	['pt', 'Por Maria Silva e João da Costa', ['Maria Silva', 'João da Costa']],
	['pt', 'Por Pedro Silva e Souza', ['Pedro Silva e Souza']],
	['sv', 'Av Eva Holm och Nils Berg', ['Eva Holm', 'Nils Berg']],
	['es', 'Por María Ruiz', ['María Ruiz']],
	['zh', '作者：王小明　责任编辑：李四', ['王小明']],
	['ko', '김철수 기자', ['김철수']],
	['ja', '文：山田太郎', ['山田太郎']],
])('authors of a page in %s: %s', (language, line, authors) => {
	expect(read({ language, line: `<p class="byline">${line}</p>` }).author).toEqual(authors);
});

const site = '<meta property="og:site_name" content="Harbour News">';

it.each<[string, Page]>([
	['after a stroke', { head: site, title: 'The quay rebuilt | Harbour News' }],
	['before the title', { head: site, title: 'Harbour News » The quay rebuilt' }],
	[
		'as the title element',
		{ head: `${site}<meta property="og:title" content="The quay rebuilt - Harbour News">`, title: 'Harbour News' },
	],
	[
		'as the first heading',
		{
			head: '<meta property="og:title" content="The quay rebuilt">',
			title: 'The quay rebuilt – Harbour News',
			heading: '<a href="/">Harbour News</a>',
		},
	],
])('leaves the name of the site out of the title: %s', (_, page) => {
	expect(read({ heading: 'The quay rebuilt', ...page }).title).toBe('The quay rebuilt');
});

describe('the address of a page', () => {
	const url = 'https://harbour.example/2026/quay?utm_source=x';
	const canonical = (href: string) => `<link rel="canonical" href="${href}">`;
	const graph = (address: string) => `<meta property="og:url" content="${address}">`;
	const linked = (item: object) => `<script type="application/ld+json">${JSON.stringify(item)}</script>`;
	const at = (head: string, own = url) => {
		const html = `<!doctype html><html lang="en"><head><title>The quay rebuilt</title>${head}</head><body><main><article><h1>The quay rebuilt</h1>${paragraphs}</article></main></body></html>`;
		const { canonicalUrl, page } = extract(html, own);
		return [canonicalUrl, page.address];
	};
	const front = 'https://harbour.example/';
	const better = 'https://harbour.example/2026/quay';
	const article = { '@type': 'NewsArticle', headline: 'The quay rebuilt', mainEntityOfPage: { '@id': better } };

	it.each([
		['a good link', canonical(better), better, undefined],
		['no link', graph(better), undefined, undefined],
		['the front page', canonical('/'), front, url],
		['the front page of another host', canonical('https://other.example/'), 'https://other.example/', url],
		['its file', canonical('/index.html'), `${front}index.html`, url],
		['a fragment', canonical('/2026/quay#top'), `${better}#top`, url],
		['the front page, and og:url', canonical('/') + graph(better), front, better],
		['the front page, og:url too', canonical('/') + graph(front), front, url],
		['the front page, og:url of another host', canonical('/') + graph('https://other.example/a'), front, url],
		['the front page, and JSON-LD', canonical('/') + linked(article), front, better],
		['the front page, JSON-LD of another title', canonical('/') + linked({ ...article, headline: 'Oil' }), front, url],
		['a section', canonical('/news/'), `${front}news/`, undefined],
	])('AMB-159 where the canonical link is %s', (_, head, link, address) => {
		expect(at(head)).toEqual([link, address]);
	});

	it('AMB-159 of the front page itself is its canonical link', () => {
		expect(at(canonical('/'), `${front}?utm_source=x`)).toEqual([front, undefined]);
	});
});

describe('files of a landing page', () => {
	it('are those that meta tags of publishers and typed relations name', () => {
		const { alternates } = read({
			head: `<meta name="citation_pdf_url" content="/2026/quay.pdf"><meta name="eprints.document_url" content="/12/quay">
				<link rel="alternate" type="application/pdf; charset=x" href="/2026/quay.pdf">
				<link rel="item" type="application/epub+zip" href="quay.epub">`,
			after:
				'<a rel="alternate" type="application/vnd.openxmlformats-officedocument.wordprocessingml.document" href="quay.docx">Word</a>',
		});
		expect(alternates).toEqual([
			{ url: 'https://harbour.example/2026/quay.pdf', type: 'application/pdf' },
			{ url: 'https://harbour.example/12/quay' },
			{ url: 'https://harbour.example/2026/quay.epub', type: 'application/epub+zip' },
			{
				url: 'https://harbour.example/2026/quay.docx',
				type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
			},
		]);
	});

	it('are no feeds, translations, style sheets or files that the text merely links', () => {
		const { alternates } = read({
			head: `<link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" hreflang="de" href="/de">
				<link rel="alternate" type="application/json+oembed" href="/oembed"><link rel="preload" type="application/pdf" href="/x.pdf">
				<meta name="citation_pdf_url" content="javascript:void(0)"><meta name="citation_pdf_url" content="">`,
			after: '<a href="other.pdf" type="application/pdf">Another report</a>',
		});
		expect(alternates).toBeUndefined();
	});
});
