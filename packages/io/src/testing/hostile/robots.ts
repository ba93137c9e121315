import { type Behaviour, type Behaviours, fetched } from './behaviour.ts';
import type { Exchange } from './exchange.ts';
import { page } from './site.ts';

const unreachable = { path: '/', outcome: 'deferred', reason: 'robots-unreachable' } as const;
const disallowed = { path: '/about', outcome: 'refused', reason: 'robots-disallow' } as const;
const open = fetched('/about');
const text = { 'Content-Type': 'text/plain' };
const closed = 'User-agent: *\nDisallow: /about\n';

function robots(
	does: string,
	fetch: Behaviour['fetch'],
	crawl: Behaviour['crawl'],
	serve: NonNullable<Behaviour['serve']>,
	also?: Behaviour['also'],
): Behaviour {
	return { does: `has a robots.txt that ${does}`, path: '/robots.txt', fetch, crawl, serve, ...(also && { also }) };
}

/** A robots.txt at the end of so many redirects. */
function behind(
	hops: number,
	crawl: Behaviour['crawl'],
	home: (exchange: Exchange) => string = (exchange) => exchange.origin,
): Behaviour {
	const to = (exchange: Exchange, step: number) =>
		exchange.reply(301, { Location: step === hops ? `${home(exchange)}/rules.txt` : `/hop/${step}` });
	return robots(
		`is ${hops} redirects away`,
		301,
		crawl,
		(exchange) => to(exchange, 1),
		(exchange) => {
			const step = Number(/^\/hop\/(\d+)$/.exec(exchange.path)?.[1]);
			if (exchange.path === '/rules.txt') exchange.reply(200, text, closed);
			else if (!Number.isNaN(step)) to(exchange, step + 1);
			else return false;
			return true;
		},
	);
}

/** Rules up to this offset must be obeyed: 500 KiB (RFC 9309 §2.5). */
function longRobots(offset: number, length: number): string {
	const filler = 'Disallow: /never/heard/of/this/page\n';
	const start = 'User-agent: *\n';
	const rule = 'Disallow: /about\n';
	const before = start + filler.repeat(Math.floor((offset - start.length - rule.length) / filler.length));
	return (before + rule).padEnd(length, filler);
}

/** Hosts whose robots.txt is the trouble. Their other pages are ordinary. */
export const robotsFiles: Behaviours = {
	'robots-html.test': robots('is a web page', 200, open, (exchange) =>
		exchange.html(page('Not found', 'The file does not exist. User-agent: * Disallow: /')),
	),
	'robots-huge.test': robots('has 5 MB, with the rule at 499 KiB', 200, disallowed, (exchange) =>
		exchange.reply(200, text, longRobots(499 * 1024, 5_000_000)),
	),
	'robots-endless.test': robots('has the rule first and never ends', 'too-large', disallowed, async (exchange) => {
		exchange.head(200, { ...text, 'Transfer-Encoding': 'chunked' });
		exchange.write(`${closed.length.toString(16)}\r\n${closed}\r\n`);
		await exchange.forever(`1000\r\n${'# and so on and so on\n'.repeat(200).slice(0, 0x1000)}\r\n`);
	}),
	'robots-500.test': robots('answers 500 with rules in it', 500, unreachable, (exchange) =>
		exchange.reply(500, text, 'User-agent: *\nAllow: /\n'),
	),
	'robots-503.test': robots('answers 503', 503, unreachable, (exchange) =>
		exchange.reply(503, { 'Retry-After': 3600 }),
	),
	'robots-429.test': robots('answers 429', 429, unreachable, (exchange) =>
		exchange.reply(429, { 'Retry-After': 3600 }),
	),
	'robots-404.test': robots('does not exist', 404, open, (exchange) => exchange.reply(404, text, closed)),
	'robots-403.test': robots('is forbidden', 403, open, (exchange) => exchange.reply(403, text, closed)),
	'robots-hang.test': robots('never answers', 'headers-timeout', unreachable, (exchange) => exchange.hang()),
	'robots-stall.test': robots('stops in the middle', 'body-timeout', unreachable, async (exchange) => {
		exchange.head(200, { ...text, 'Content-Length': 1000 });
		exchange.write('User-agent: *\nAllow: /\n');
		await exchange.hang();
	}),
	'robots-cut.test': robots('is cut off', 'truncated', unreachable, async (exchange) => {
		exchange.head(200, { ...text, 'Content-Length': 1000 });
		exchange.write('User-agent: *\nAllow: /\n');
		await exchange.finish();
	}),
	'robots-reset.test': robots('resets the connection', 'connection-reset', unreachable, (exchange) => exchange.reset()),
	'robots-redirect-5.test': behind(5, disallowed),
	'robots-redirect-6.test': behind(6, open),
	'robots-redirect-host.test': behind(1, disallowed, (exchange) => exchange.originOf('robots-redirect-5.test')),
	'robots-redirect-loop.test': robots('redirects to itself', 301, open, (exchange) =>
		exchange.reply(301, { Location: '/robots.txt' }),
	),
	'robots-bom.test': robots('begins with a byte order mark and has CRLF', 200, disallowed, (exchange) =>
		exchange.reply(200, text, '\ufeffUSER-AGENT: *\r\nDisallow: /about\r\nDisallow: /*.pdf$\r\n'),
	),
	'robots-latin1.test': robots('is in Latin-1 and not UTF-8', 200, disallowed, (exchange) =>
		exchange.reply(200, text, Buffer.from(`# gar\xe7on\n${closed}Disallow: /caf\xe9\n`, 'latin1')),
	),
	'robots-closed.test': robots('forbids everything', 200, { ...disallowed, path: '/' }, (exchange) =>
		exchange.reply(200, text, 'User-agent: *\nDisallow: /\n'),
	),
	'robots-other-bot.test': robots('forbids everything to another bot', 200, open, (exchange) =>
		exchange.reply(200, text, 'User-agent: Bytespider\nDisallow: /\n'),
	),
	'robots-empty.test': robots('is empty', 200, open, (exchange) => exchange.reply(200, text)),
	'robots-delay.test': robots(
		'asks for a delay of a day',
		200,
		{ path: '/', outcome: 'deferred', reason: 'crawl-delay-too-long' },
		(exchange) => exchange.reply(200, text, 'User-agent: *\nCrawl-delay: 100000\n'),
	),
};
