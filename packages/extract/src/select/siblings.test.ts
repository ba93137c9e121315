import { describe, expect, it } from 'vitest';
import { extract } from '../extract.ts';

// Texts beside the article that are as good as its own, but are the beginnings of others: on such pages precision is lost.

const subjects = ['lighthouse', 'orchard', 'tramway', 'reservoir', 'bakery', 'museum', 'choir', 'ferry'];
const own = (n: number): string =>
	`Paragraph ${n} of the report says what the council decided on Monday about the old market hall, who had asked for it, and what the repair of its roof will cost the town over the coming years.`;
const teaser = (n: number): string =>
	`TEASER ${n} The ${subjects[n % subjects.length]} at the edge of the town has been closed since the spring, and nobody at the office could say yesterday when visitors may come back, or who is going to pay for…`;
const title = 'Market hall gets a new roof';
const report = (count: number): string => Array.from({ length: count }, (_, i) => `<p>${own(i + 1)}</p>`).join('\n');
const teasers = (count: number, one: (n: number) => string): string =>
	Array.from({ length: count }, (_, i) => one(i)).join('\n');
const heading = (n: number): string =>
	`<a href="/2023/04/${subjects[n % subjects.length]}-closed">The ${subjects[n % subjects.length]} stays closed</a>`;
const page = (body: string): string =>
	`<!doctype html><html lang=en><head><title>${title} | The Valley Post</title><meta property=og:type content=article><meta property=og:title content="${title}"><meta property="article:published_time" content="2023-05-02T08:00:00Z"><script type="application/ld+json">{"@type":"NewsArticle","headline":"${title}"}</script></head><body><header><a href="/">The Valley Post</a><ul><li><a href="/town">Town</a><li><a href="/sport">Sport</a><li><a href="/culture">Culture</a></ul></header>${body}<footer><p>© The Valley Post</p></footer></body></html>`;
const extracted = (body: string): string => extract(page(body), 'https://valley-post.example/2023/05/market-hall').text;

describe('an article among the beginnings of others', () => {
	it.each([
		[
			'beside it, each an article of its own',
			`<div class="row"><div class="col-md-8"><article><h1>${title}</h1>${report(4)}</article></div><aside class="col-md-4">${teasers(
				6,
				(n) => `<article class="small"><h3>${heading(n)}</h3><p class="excerpt">${teaser(n)}</p></article>`,
			)}</aside></div>`,
		],
		[
			'in a list above it',
			`<div class="breaking"><ul>${teasers(6, (n) => `<li>${heading(n)} ${teaser(n)}</li>`)}</ul></div><div class="content"><h1>${title}</h1><div class="text">${report(8)}</div></div>`,
		],
		[
			'below it, inside of it',
			`<article><h1>${title}</h1>${report(4)}<div class="more-posts"><h3>You may like</h3>${teasers(
				5,
				(n) => `<article class="post"><h2>${heading(n)}</h2><p>${teaser(n)}</p></article>`,
			)}</div></article>`,
		],
	])('%s', (_, body) => {
		const text = extracted(body);
		for (let i = 1; i <= 4; i++) expect(text).toContain(`Paragraph ${i} `);
		expect(text).not.toContain('TEASER');
	});
});

it('a short article among widgets', () => {
	const text = extracted(
		`<div class="row"><div class="col-sm-9"><article><h1>${title}</h1><ul class="meta"><li>August 13, 2021</li><li><a href="#respond">Leave a comment</a></li></ul>${report(2)}<ul class="social"><li><a href="#">Facebook</a></li><li><a href="#">VKontakte</a></li></ul></article></div><div class="col-sm-3"><div class="widget"><h5>Polls</h5><p>Would you pay a little more for a covered market in winter?</p><ul><li>Yes, gladly, as long as it is warm (41%, 1,680 Votes)</li><li>No, I like it in the open (29%, 1,186 Votes)</li><li>I buy elsewhere (30%, 1,200 Votes)</li></ul><p>Total Voters: 4,066</p></div></div></div>`,
	);
	expect(text).toContain('Paragraph 2 ');
	expect(text).not.toMatch(/Votes|VKontakte/);
});
