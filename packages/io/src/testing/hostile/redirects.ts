import { type Behaviour, type Behaviours, failed, fetched } from './behaviour.ts';
import type { Exchange } from './exchange.ts';
import { page } from './site.ts';

function redirect(
	does: string,
	location: string | ((exchange: Exchange) => string),
	crawl: Behaviour['crawl'],
	status = 302,
): Behaviour {
	return {
		does,
		path: '/moved',
		fetch: status,
		crawl,
		serve(exchange) {
			exchange.reply(status, { Location: typeof location === 'string' ? location : location(exchange) });
		},
	};
}

const outOfScope = { path: '/moved', outcome: 'out-of-scope', reason: 'redirect-out-of-scope' } as const;
const moved = { path: '/moved', outcome: 'fetched', reason: 'redirected' } as const;

/** Hosts that send their visitors elsewhere. */
export const redirects: Behaviours = {
	'redirect-loop.test': {
		...redirect('redirects from A to B to C to A', '/moved/b', failed('/moved', 'redirect-loop')),
		also(exchange) {
			const next = { '/moved/b': '/moved/c', '/moved/c': '/moved' }[exchange.path];
			if (next !== undefined) exchange.reply(302, { Location: next });
			return next !== undefined;
		},
	},
	'redirect-self.test': redirect('redirects to itself', '/moved', failed('/moved', 'redirect-loop'), 301),
	'redirect-long.test': {
		...redirect('redirects fifty times before there is a page', '/moved/1', failed('/moved', 'too-many-redirects')),
		also(exchange) {
			const step = Number(/^\/moved\/(\d+)$/.exec(exchange.path)?.[1]);
			if (Number.isNaN(step)) return false;
			if (step < 50) exchange.reply(302, { Location: `/moved/${step + 1}` });
			else exchange.html(page('At last', 'Nobody comes here.'));
			return true;
		},
	},
	'redirect-endless.test': {
		...redirect('redirects to an ever new address', '/moved/1', failed('/moved', 'too-many-redirects')),
		also(exchange) {
			const step = Number(/^\/moved\/(\d+)$/.exec(exchange.path)?.[1]);
			if (Number.isNaN(step)) return false;
			exchange.reply(302, { Location: `/moved/${step + 1}` });
			return true;
		},
	},
	'redirect-private.test': redirect(
		'redirects to the metadata service of a cloud',
		'http://169.254.169.254/latest/meta-data/',
		outOfScope,
	),
	'redirect-loopback.test': redirect('redirects to a loopback address in disguise', 'http://0x7f.1/admin', outOfScope),
	'redirect-private-name.test': redirect(
		'redirects to a name that leads to a private address',
		(exchange) => exchange.originOf('private-dns.test'),
		outOfScope,
	),
	'redirect-file.test': redirect('redirects to a local file', 'file:///etc/passwd', failed('/moved', 'bad-redirect')),
	'redirect-script.test': redirect('redirects to a script', 'javascript:alert(1)', failed('/moved', 'bad-redirect')),
	'redirect-port.test': redirect(
		'redirects to the mail port',
		'http://redirect-port.test:25/',
		failed('/moved', 'bad-redirect'),
	),
	'redirect-nowhere.test': {
		...redirect('redirects without saying where to', '/', failed('/moved', 'bad-redirect')),
		serve: (exchange) => exchange.reply(302),
	},
	'redirect-nonsense.test': redirect('redirects to what is no URL', 'http://[', failed('/moved', 'bad-redirect')),
	'redirect-away.test': redirect(
		'redirects to another site',
		(exchange) => `${exchange.originOf('ordinary.test')}/about`,
		outOfScope,
		301,
	),
	'redirect-relative.test': {
		...redirect('redirects with ../ and a space', './x/../new place', moved),
		also(exchange) {
			if (exchange.path !== '/new%20place') return false;
			exchange.html(page('New place', 'The page lives here now.'));
			return true;
		},
	},
	'redirect-utf8.test': {
		...redirect('redirects to an address in raw UTF-8 bytes', Buffer.from('/café').toString('latin1'), moved),
		also(exchange) {
			if (exchange.path !== '/caf%C3%A9') return false;
			exchange.html(page('Café', 'The page lives here now.'));
			return true;
		},
	},
	'redirect-body.test': {
		...redirect('redirects with an endless body', '/about', moved),
		async serve(exchange) {
			exchange.head(302, { Location: '/about', 'Transfer-Encoding': 'chunked' });
			await exchange.forever('1000\r\n'.padEnd(6 + 0x1000, 'x').concat('\r\n'));
		},
		fetch: 'too-large',
		crawl: failed('/moved', 'too-large'),
	},
	'ordinary.test': {
		does: 'does nothing wrong',
		path: '/guide/first',
		fetch: 200,
		crawl: fetched('/guide/first'),
	},
};
