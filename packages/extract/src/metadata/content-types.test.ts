import { expect, it } from 'vitest';
import { extract } from '../extract.ts';

const words =
	'The quay of the old harbour was rebuilt after the storm, and the people of the town paid for it with a small tax on salt. It took the masons eleven years, and in the end the stones came from the same quarry as those of the church. ';
const paragraphs = (count: number) => `<p>${words}</p>`.repeat(count);
const cards = (count: number, card: (i: number) => string) => Array.from({ length: count }, (_, i) => card(i)).join('');
const linked = (...items: object[]) =>
	items
		.map(
			(item) =>
				`<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...item })}</script>`,
		)
		.join('');

interface Made {
	readonly path: string;
	readonly title: string;
	readonly head?: string;
	readonly main: string;
	/** A whole body in place of the usual frame. */
	readonly body?: string;
}

const typeOf = ({ path, title, head = '', main, body }: Made) => {
	const frame = `<header><a href="/">Harbour</a><nav><ul><li><a href="/news">News</a></li><li><a href="/shop">Shop</a></li><li><a href="/about">About</a></li><li><a href="/contact">Contact</a></li></ul></nav></header><main>${main}</main><footer><p>© 2026 Harbour Ltd</p><a href="/privacy">Privacy</a><a href="/imprint">Imprint</a></footer>`;
	return extract(
		`<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>${body ?? frame}</body></html>`,
		`https://harbour.example${path}`,
	).contentType;
};

const form =
	'<form action="/send" method="post"><label>Name <input name="name"></label><label>Email <input name="mail" type="email"></label><label>Message <textarea name="message"></textarea></label><button>Send</button></form>';
const graph = (type: string) => `<meta property="og:type" content="${type}">`;
const answer = (i: number) =>
	`<div class="answer" id="answer-${i}"><div class="votes">${i + 2}</div><div class="post-text"><p>${words}</p></div><div class="user-info"><a href="/users/${i}">user${i}</a> answered <time datetime="2026-01-0${i + 1}">${i + 1} Jan 2026</time></div></div>`;
const post = (i: number) =>
	`<div class="post" id="post-${i}"><div class="author"><a href="/members/${i}">member${i}</a> <span>Posts: ${i * 31}</span></div><div class="message">${paragraphs(1)}</div><a class="reply" href="#reply">Reply</a></div>`;
const product =
	'<h1>Tarred rope, 20 m</h1><div class="gallery"><img src="/r.jpg" alt="Rope"></div><p class="price">€ 24.50</p><p class="stock">In stock</p><form action="/cart"><label>Quantity <input name="q" value="1"></label><button>Add to cart</button></form><h2>Description</h2><p>Twisted by hand from hemp and tarred twice. For mooring lines and fenders. The rope floats for an hour, does not slip on wet bollards, and can be spliced with a fid. We deliver within three days; returns are free for a month.</p><h2>Details</h2><table><tr><th>Length</th><td>20 m</td></tr><tr><th>Weight</th><td>3.2 kg</td></tr><tr><th>Material</th><td>Hemp</td></tr></table>';
const headline = (i: number) =>
	`<article class="teaser"><h2><a href="/news/2026/story-${i}">How the harbour changed, part ${i}</a></h2><time datetime="2026-02-${10 + i}">${10 + i} Feb 2026</time><p>The town council has looked at the plans again and wants more time.</p></article>`;
const item = (i: number) =>
	`<li class="product-card"><a href="/shop/rope-${i}"><img src="/r${i}.jpg" alt=""><h3>Rope ${i} m</h3></a><span class="price">€ ${i * 3}.50</span><button>Add to cart</button></li>`;
const docs = `<article><h1>Configure the server</h1><p>The server reads its configuration from a file. This page lists all options.</p><h2 id="port">port</h2><p>The port to listen on. Default: 8080.</p><pre><code class="language-js">export default { port: 8080 };</code></pre><h2 id="host">host</h2><p>The host name to listen on.</p><pre><code class="language-js">export default { host: 'localhost' };</code></pre><h2 id="root">root</h2><p>The folder with the files. Relative to the file of the configuration.</p></article>`;

const docsMenu = `<nav class="sidebar"><ul>${cards(12, (i) => `<li><a href="/docs/page-${i}">Page ${i}</a></li>`)}</ul></nav>`;
const reference = `<h1>class Client</h1><p>Sends requests.</p>${cards(8, (i) => `<h3 id="m${i}"><code>client.method${i}(options)</code></h3><p>Sends request ${i}. Returns a promise.</p><table><tr><th>Parameter</th><th>Type</th></tr><tr><td>options</td><td>object</td></tr></table>`)}`;

it.each<[string, string | readonly (string | undefined)[], Made]>([
	[
		'a contact page with a form',
		['service', undefined],
		{
			path: '/contact',
			title: 'Contact | Harbour',
			main: `<h1>Contact us</h1><p>Write to us, or call +47 55 00 00 00 from nine to four.</p>${form}<address>Quay 1, Bergen</address>`,
		},
	],
	[
		'a long contact page',
		'service',
		{
			path: '/contact-us',
			title: 'Contact | Harbour',
			main: `<h1>Get in touch</h1>${form}${cards(4, (i) => `<section><h2>Office ${i}</h2><p>Quay ${i}, Bergen. Open on weekdays from nine to four. Phone +47 55 00 00 0${i}, or send a message to the desk, which replies within two days.</p></section>`)}`,
		},
	],
	[
		'a page about a company',
		['service', 'article'],
		{
			path: '/about',
			title: 'About us | Harbour',
			main: `<h1>About us</h1>${paragraphs(3)}<h2>Our team</h2>${cards(4, (i) => `<div class="member"><h3>Person ${i}</h3><p>Mason</p></div>`)}`,
		},
	],
	[
		'a list of questions of a company',
		['service', 'documentation', 'article'],
		{
			path: '/faq',
			title: 'FAQ | Harbour',
			main: `<h1>Frequently asked questions</h1>${cards(8, (i) => `<h2>How do I moor boat number ${i}?</h2><p>${words.slice(0, 120)}</p>`)}`,
			head: linked({ '@type': 'FAQPage', mainEntity: [] }),
		},
	],
	[
		'a page of prices',
		['service', 'product'],
		{
			path: '/pricing',
			title: 'Pricing | Harbour',
			main: `<h1>Plans and pricing</h1>${cards(3, (i) => `<div class="plan"><h2>Plan ${i}</h2><p class="price">€ ${i}9 / month</p><ul><li>Berth of ${i}0 m</li><li>Water and power</li><li>Support by phone</li></ul><a href="/signup">Start free trial</a></div>`)}`,
		},
	],
	[
		'terms of use',
		['service', 'article', 'documentation'],
		{
			path: '/terms',
			title: 'Terms of use | Harbour',
			main: `<h1>Terms of use</h1>${cards(8, (i) => `<h2>${i}. Clause</h2><p>${words}</p>`)}`,
		},
	],
	[
		'a news article',
		'article',
		{
			path: '/news/2026/quay-rebuilt',
			title: 'The quay is rebuilt',
			main: `<article><h1>The quay is rebuilt</h1><p class="byline">By Ann Marsh, 2 March 2026</p>${paragraphs(8)}</article>`,
		},
	],
	[
		'a declared news article with comments',
		'article',
		{
			path: '/news/2026/quay-rebuilt',
			title: 'The quay is rebuilt',
			head: graph('article') + linked({ '@type': 'NewsArticle', headline: 'The quay is rebuilt' }),
			main: `<article><h1>The quay is rebuilt</h1>${paragraphs(6)}</article><section id="comments">${cards(5, (i) => `<div class="comment"><b>user${i}</b><p>${words.slice(0, 80)}</p><a href="#r">Reply</a></div>`)}</section>`,
		},
	],
	[
		'an article about a product',
		'article',
		{
			path: '/blog/rope-review',
			title: 'Review: tarred rope',
			head: graph('article') + linked({ '@type': 'BlogPosting', headline: 'Review: tarred rope' }),
			main: `<article><h1>Review: tarred rope</h1><p>By Ann Marsh</p>${paragraphs(6)}<p>Price: € 24.50. <a href="https://shop.example/rope">Buy it here</a></p></article>`,
		},
	],
	[
		'a blog post',
		'article',
		{
			path: '/blog/2026/03/on-salt',
			title: 'On salt – a blog',
			main: `<article class="post"><h1>On salt</h1><p class="meta">March 3, 2026 by Ole</p>${paragraphs(7)}</article><div class="tags"><a href="/tag/salt">salt</a></div>`,
		},
	],
	[
		'a recipe',
		'article',
		{
			path: '/recipes/soup',
			title: 'Fish soup',
			head: linked({ '@type': 'Recipe', name: 'Fish soup', recipeIngredient: ['1 kg cod', '2 leeks', '1 l milk'] }),
			main: `<article><h1>Fish soup</h1>${paragraphs(3)}<h2>Ingredients</h2><ul><li>1 kg cod</li><li>2 leeks</li><li>1 l milk</li></ul><h2>Method</h2><ol><li>Boil the fish in the milk until it is done.</li><li>Cut the leeks and fry them in butter for five minutes.</li></ol></article>`,
		},
	],
	[
		'a product by its markup',
		'product',
		{
			path: '/shop/rope-20',
			title: 'Tarred rope, 20 m',
			head:
				graph('product') +
				linked({ '@type': 'Product', name: 'Tarred rope, 20 m', offers: { '@type': 'Offer', price: 24.5 } }),
			main: product,
		},
	],
	[
		'a product with reviews',
		'product',
		{
			path: '/products/rope-20',
			title: 'Tarred rope, 20 m | Harbour shop',
			main: `${product}<h2>Customer reviews</h2>${cards(6, (i) => `<div class="review"><b>Buyer ${i}</b> <span>★★★★</span><p>${words.slice(0, 100)}</p></div>`)}`,
		},
	],
	[
		'a product with questions and answers',
		'product',
		{
			path: '/products/rope-20',
			title: 'Tarred rope',
			head: linked({ '@type': 'Product', name: 'Tarred rope' }) + graph('og:product'),
			main: `${product}<h2>Questions</h2>${cards(4, (i) => `<p><b>Q: Is it ${i} m?</b></p><p>A: Yes.</p>`)}`,
		},
	],
	[
		'a category of a shop',
		['listing', 'collection'],
		{
			path: '/shop/ropes',
			title: 'Ropes | Harbour shop',
			main: `<h1>Ropes</h1><p>48 products</p><ul class="grid">${cards(16, item)}</ul><nav class="pagination"><a href="?page=2">2</a></nav>`,
		},
	],
	[
		'an index of articles',
		['listing', 'collection'],
		{
			path: '/news',
			title: 'News | Harbour',
			main: `<h1>News</h1>${cards(14, headline)}<nav class="pagination"><a href="?page=2">Next</a></nav>`,
		},
	],
	[
		'an archive of a tag',
		['listing', 'collection'],
		{ path: '/tag/salt', title: 'Posts tagged salt', main: `<h1>Tag: salt</h1>${cards(12, headline)}` },
	],
	[
		'results of a search',
		['listing', 'collection'],
		{
			path: '/search?q=quay',
			title: 'Search results for quay',
			main: `<h1>Results for “quay”</h1><p>120 results</p>${cards(12, headline)}`,
		},
	],
	['a front page', 'home', { path: '/', title: 'Harbour', main: `<h1>Harbour</h1>${cards(8, headline)}` }],
	[
		'a front page in a language',
		'home',
		{ path: '/en/', title: 'Harbour', main: `<h1>Harbour</h1>${cards(8, headline)}` },
	],
	[
		'documentation',
		'documentation',
		{
			path: '/docs/configuration',
			title: 'Configure the server – Docs',
			main: docs,
			body: `${docsMenu}<main>${docs}</main>`,
		},
	],
	[
		'a reference of an interface',
		'documentation',
		{
			path: '/api/reference/client',
			title: 'Client – API reference',
			main: '',
			body: `${docsMenu}<main>${reference}</main>`,
		},
	],
	[
		'a question with answers',
		'forum',
		{
			path: '/questions/17/how-to-moor',
			title: 'How to moor a boat? - Boats Exchange',
			head: linked({ '@type': 'QAPage' }),
			main: `<h1>How to moor a boat?</h1>${cards(4, answer)}`,
		},
	],
	[
		'a question with answers, not declared',
		'forum',
		{
			path: '/questions/17/how-to-moor',
			title: 'How to moor a boat? - Boats Exchange',
			main: `<h1>How to moor a boat?</h1><div class="question"><p>${words}</p></div><h2>4 Answers</h2>${cards(4, answer)}`,
		},
	],
	[
		'a thread',
		'forum',
		{ path: '/forum/threads/mooring.17', title: 'Mooring | Boats forum', main: `<h1>Mooring</h1>${cards(8, post)}` },
	],
	[
		'a job',
		['service', 'article', 'listing'],
		{
			path: '/jobs/rigger',
			title: 'Rigger (m/f/d) – Jobs',
			head: linked({ '@type': 'JobPosting', title: 'Rigger' }),
			main: `<h1>Rigger</h1><p>Bergen · Full time</p><h2>Your tasks</h2><ul><li>Splice ropes and wires for our customers</li><li>Check the rigging of the boats in the harbour</li></ul><h2>What you bring</h2><ul><li>A craft</li><li>Good hands</li></ul><h2>What we offer</h2><p>${words}</p><a href="/apply">Apply now</a>`,
		},
	],
	[
		'an event',
		['service', 'article'],
		{
			path: '/events/night-of-boats',
			title: 'Night of boats',
			head: linked({ '@type': 'Event', name: 'Night of boats' }),
			main: `<h1>Night of boats</h1><p>1 May 2026, 20:00, Quay 1, Bergen</p>${paragraphs(2)}<a href="/tickets">Tickets</a>`,
		},
	],
	[
		'a list of events',
		['listing', 'collection'],
		{
			path: '/events',
			title: 'Events | Harbour',
			main: `<h1>Events</h1>${cards(14, (i) => `<div class="event"><h3><a href="/events/e-${i}">Evening ${i} on the quay</a></h3><time datetime="2026-05-${10 + i}">${10 + i} May 2026</time><p>Quay ${i}, Bergen</p></div>`)}`,
		},
	],
	[
		'a profile',
		'profile',
		{
			path: '/people/ann',
			title: 'Ann Marsh',
			head: linked({ '@type': 'ProfilePage' }),
			main: `<h1>Ann Marsh</h1>${paragraphs(2)}`,
		},
	],
	[
		'an error page',
		[undefined],
		{
			path: '/nothing',
			title: '404 – Page not found',
			main: '<h1>Page not found</h1><p>The page does not exist. Go to the <a href="/">front page</a>.</p>',
		},
	],
	[
		'an error page with proposals',
		['service', 'listing', 'collection', undefined],
		{
			path: '/nothing-here',
			title: '404 | Harbour',
			main: `<h1>404</h1><p>We could not find this page. Perhaps one of these helps:</p><ul>${cards(6, (i) => `<li><a href="/p${i}">Page ${i} about the harbour</a></li>`)}</ul>`,
		},
	],
	[
		'a page for the login',
		['service', undefined],
		{
			path: '/login',
			title: 'Sign in | Harbour',
			main: '<h1>Sign in</h1><form><label>User <input></label><label>Password <input type="password"></label><button>Sign in</button></form><p><a href="/forgot">Forgot your password?</a></p>',
		},
	],
	[
		'a support page with a form for messages',
		['service', 'documentation', undefined],
		{
			path: '/support',
			title: 'Support | Harbour',
			main: `<h1>How can we help?</h1><p>Our team replies to every message within a day.</p><div class="message">${form}</div><h2>Popular topics</h2><ul><li><a href="/help/berth">Berths</a></li><li><a href="/help/power">Power</a></li></ul>`,
		},
	],
])('%s', (_, expected, page) => {
	expect(typeof expected === 'string' ? [expected] : expected).toContain(typeOf(page));
});

// The model takes such a short page for a collection; markup or a longer page decides.
it.fails('a short product page without markup', () => {
	expect(typeOf({ path: '/shop/rope-20', title: 'Tarred rope, 20 m', main: product })).toBe('product');
});
