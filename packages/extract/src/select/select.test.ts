import { describe, expect, it } from 'vitest';
import { extract } from '../extract.ts';

const pageAddress = 'https://news.example/2024/05/bridge-reopens';
const sentence = (n: number): string =>
	`Paragraph ${n} tells how the old bridge over the river was taken down, repaired in a yard up north, and brought back in three pieces, while the town waited for the ferry.`;
const paragraphs = (from: number, to: number): string =>
	Array.from({ length: to - from + 1 }, (_, i) => `<p>${sentence(from + i)}</p>`).join('\n');
const nav = `<header class="site-header"><a href="/">The Example News</a><nav><ul>${[
	'World',
	'Sport',
	'Culture',
	'Weather',
	'Opinion',
]
	.map((name) => `<li><a href="/${name.toLowerCase()}">${name}</a></li>`)
	.join('')}</ul></nav></header>`;
const footer = `<footer class="site-footer"><p>© 2024 The Example News. All rights reserved.</p><ul><li><a href="/privacy">Privacy policy</a></li><li><a href="/terms">Terms of use</a></li></ul></footer>`;
const page = (main: string, title = 'The bridge reopens'): string =>
	`<!doctype html><html lang=en><head><title>${title} - The Example News</title><meta property=og:type content=article><meta property=og:title content="${title}"></head><body>${nav}${main}${footer}</body></html>`;

describe('an article among the furniture of a site', () => {
	const html = page(`<main><article><h1>The bridge reopens</h1><div class="byline">By Ada Writer</div>
		${paragraphs(1, 4)}<figure><img src="/bridge.jpg" alt="The bridge"></figure>${paragraphs(5, 8)}
		<div class="newsletter-signup"><h3>Sign up for our newsletter</h3><p>Get the best stories in your inbox every morning.</p></div></article>
		<aside class="related"><h2>Related stories</h2><ul><li><a href="/a"><img src="/small.jpg">Ferry makes its last trip</a></li><li><a href="/b">How steel is mended</a></li></ul></aside>
		<section id="comments" class="comments"><h2>3 comments</h2><div class="comment"><p>I never liked the ferry anyway, it was late every single day.</p></div></section></main>`);
	const { text, markdown, contentType } = extract(html, pageAddress);

	it('keeps every paragraph and leaves out the rest', () => {
		for (let i = 1; i <= 8; i++) expect(text).toContain(`Paragraph ${i} `);
		expect(text).not.toMatch(/Sport|Privacy|newsletter|last trip|I never liked/);
	});

	it('Markdown has what the text has, and the picture between two kept paragraphs', () => {
		for (let i = 1; i <= 8; i++) expect(markdown).toContain(`Paragraph ${i} `);
		expect(markdown).toContain('bridge.jpg');
		expect(markdown).not.toMatch(/Sport|Privacy|newsletter|last trip|small\.jpg|I never liked/);
	});

	it('is an article', () => expect(contentType).toBe('article'));
});

it('replies belong to a thread, with author and date of each post', () => {
	const posts = Array.from(
		{ length: 6 },
		(
			_,
			i,
		) => `<div class="message topic-post" id="post-${i}"><div class="message-user"><a class="username" href="/u/${i}">member${i}</a> <time datetime="2024-05-0${i + 1}">May ${i + 1}, 2024</time></div>
		<div class="message-body post-content cooked"><p>Reply number ${i}: I had the same trouble with the pump, and it went away after I cleaned the filter and tightened the hose a little.</p></div></div>`,
	).join('');
	const html = `<!doctype html><html><head><title>Pump makes noise - Example Forum</title></head><body class="forum thread-view">${nav}<div class="thread"><h1>Pump makes noise</h1>${posts}</div>${footer}</body></html>`;
	const { text, contentType } = extract(html, 'https://forum.example/t/pump-makes-noise/123');
	for (let i = 0; i < 6; i++) expect(text).toContain(`Reply number ${i}`);
	expect(contentType).toBe('forum');
});

describe('small pages', () => {
	it('one paragraph', () => expect(extract('<p>Only this.', pageAddress).text).toBe('Only this.'));
	it('one table', () => {
		const { text, markdown } = extract('<table><tr><th>Year<th>Sum<tr><td>2023<td>17</table>', pageAddress);
		expect(text.split('\n')).toEqual(['Year', 'Sum', '2023', '17']);
		expect(markdown).toContain('| 2023');
	});
	it('one image with a caption', () => {
		const { markdown } = extract(
			'<figure><img src="/a.png" alt="A map"><figcaption>The map</figcaption></figure>',
			pageAddress,
		);
		expect(markdown).toContain('![A map](https://news.example/a.png)');
		expect(markdown).toContain('The map');
	});
	it('one image alone', () =>
		expect(extract('<img src="/a.png" alt="A map">', pageAddress).markdown).toContain('a.png'));
	it('XB-141 a fragment without html or body', () =>
		expect(extract('<meta charset="utf8"><div>one</div><p>two', pageAddress).text).toBe('one\ntwo'));
	it('nothing at all', () => {
		for (const html of ['', ' \n', '<!-- -->', '<script>x</script>']) {
			expect(extract(html, pageAddress)).toMatchObject({ text: '', markdown: '' });
		}
	});
});

describe('other scripts', () => {
	it('Chinese and Japanese text', () => {
		const line =
			'昨日、市の中心にある古い橋が三年ぶりに開通し、多くの人々が朝早くから集まって、その瞬間を見守りました。';
		const html = page(`<main><article>${`<p>${line}</p>`.repeat(6)}</article></main>`, '橋が開通');
		expect(
			extract(html, pageAddress)
				.text.split('\n')
				.filter((text) => text === line),
		).toHaveLength(6);
	});
	it('Hebrew text', () => {
		const line = 'הגשר הישן נפתח מחדש אתמול בבוקר, לאחר שלוש שנים של עבודות, ומאות תושבים הגיעו כדי לחצות אותו ברגל.';
		const html = page(`<main dir="rtl"><article>${`<p>${line}</p>`.repeat(6)}</article></main>`, 'הגשר');
		expect(
			extract(html, pageAddress)
				.text.split('\n')
				.filter((text) => text === line),
		).toHaveLength(6);
	});
});

describe('hidden content', () => {
	it('XB-132 is left out', () => {
		const hidden =
			'<p style="visibility: hidden">SECRET1 hidden text, long enough to be scored as a paragraph.</p><div hidden><p>SECRET2</p></div><p style="display:none">SECRET3</p>';
		const { text, markdown } = extract(page(`<article>${paragraphs(1, 8)}${hidden}</article>`), pageAddress);
		expect(text).toContain('Paragraph 8');
		expect(text + markdown).not.toContain('SECRET');
	});
	it('XB-134 is content when it is nearly all there is', () => {
		const html = page(`<article class="invisible" style="visibility:hidden">${paragraphs(1, 8)}</article>`);
		const { text, markdown } = extract(html, pageAddress);
		expect(text).toContain('Paragraph 1 ');
		expect(markdown).toContain('Paragraph 8 ');
	});
	it('inside a line is left out', () => {
		const { text } = extract('<p>Seen <span class="sr-only">not seen</span> again</p>', pageAddress);
		expect(text).toBe('Seen again');
	});
});

it('bare text beside content is left out by itself', () => {
	const html = page(
		`<div class="content">${paragraphs(1, 8)}<br><br>Advertisement<br><br><a href="/subscribe">Subscribe now</a><br><br></div>`,
	);
	const { text, markdown } = extract(html, pageAddress);
	expect(text).toContain('Paragraph 8 ');
	for (const line of ['Advertisement', 'Subscribe now']) {
		expect(markdown.includes(line)).toBe(text.includes(line));
	}
});

describe('size', () => {
	it('XB-139 3,000 nested quotes', () => {
		const { text, markdown } = extract(`${'<blockquote>'.repeat(3000)}deep`, pageAddress);
		expect(text).toBe('deep');
		expect(markdown.length).toBeLessThan(5000);
	});
	it('XB-140 50,000 nested divs', () => expect(extract(`${'<div>'.repeat(50_000)}x1`, pageAddress).text).toBe('x1'));
	it('XB-142 script text stays out', () => {
		const { markdown } = extract(`<script>new RegExp('(^s.*$')</script><p>after 5>4</p>`, pageAddress);
		expect(markdown).toMatch(/after 5\\?>4/);
		expect(markdown).not.toContain('RegExp');
	});
	it('10,000 loose texts in one element', { timeout: 120_000 }, () => {
		expect(extract('<div>x<br><br></div>'.repeat(2), pageAddress).text).toBe('x\nx');
		const html = `<div>${'word<br><br>'.repeat(10_000)}</div>${paragraphs(1, 8)}`;
		expect(() => extract(html, pageAddress)).not.toThrow();
	});
});
