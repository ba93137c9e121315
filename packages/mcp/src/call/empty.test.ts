import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWeb, type TestAnswer, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { apart, connectHttp, connectStdio, fromOwnServers, textOf } from '../testing/clients.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';

const page = (body: string): TestAnswer => ({ headers: { 'content-type': 'text/html; charset=utf-8' }, body });
const app = '<script src="/app.js"></script>';
const scripts = /rendered by scripts: it has no readable content without them/;
const login = /requires a login/;
const consent = /consent to cookies/;

/** Pages without content: the response, the expected error, and the page's text inside the fence. */
const empty: readonly (readonly [id: string, name: string, answer: TestAnswer, ours: RegExp, inside?: string])[] = [
	['S2-13', 'root', page(`<!doctype html><title>App</title><div id="root"></div>${app}`), scripts],
	['S2-13', 'next', page(`<title>App</title><body><main id=__next></main>${app}</body>`), scripts],
	[
		'S2-13',
		'component',
		page(`<title>App</title><body><app-root></app-root><script type=module src=/m.js></script>`),
		scripts,
	],
	['S2-13', 'loading', page(`<title>App</title><body><div id="app"><p>Loading…</p></div>${app}`), scripts, 'Loading…'],
	[
		'S2-14',
		'noscript',
		page(
			`<title>App</title><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>${app}`,
		),
		scripts,
	],
	[
		'S2-14',
		'asks',
		page(`<title>App</title><body><p>This site requires JavaScript to work.</p>${app}</body>`),
		scripts,
		'requires JavaScript',
	],
	[
		'S2-14',
		'asks-de',
		page(`<title>App</title><body><p>Bitte aktivieren Sie JavaScript, um fortzufahren.</p>${app}</body>`),
		scripts,
	],
	[
		'',
		'login-form',
		page(
			'<title>Sign in</title><h1>Sign in</h1><form><input name=mail><input type="password"><a href="/f">Forgot your password?</a></form>',
		),
		login,
	],
	[
		'',
		'login-words',
		page('<title>Members</title><main><h1>Members only</h1><p>Please log in to continue.</p></main>'),
		login,
		'Members only',
	],
	['', 'login-bare', page('<title>x</title><body><form><input type=password></form></body>'), login],
	[
		'',
		'cookies',
		page(
			'<title>News</title><body><div class="cookie-wall"><p>We and our partners use cookies. Accept to continue.</p><button>Accept all</button></div></body>',
		),
		consent,
	],
	[
		'',
		'cookies-words',
		page(
			'<title>News</title><body><div><p>Before you continue, we use cookies and data to deliver services.</p></div></body>',
		),
		consent,
	],
	['', 'nothing', page('<!doctype html><title>Nothing</title><body></body>'), /has no text/],
	[
		'',
		'pictures',
		page('<!doctype html><title>Pictures</title><body><img src="/a.png" alt=""><img src="/b.png"></body>'),
		/pictures without a word/,
	],
	['', 'zero', page(''), /has no text \(no-content\)[\s\S]*sent no content/],
	['', 'no-body', { status: 204 }, /no-content/],
	['', 'unauthorised', { status: 401, body: 'Sign in' }, /http-401[\s\S]*requires a login/],
	[
		'',
		'pdf',
		{ headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.7 abc' },
		/file-damaged/,
		'the PDF cannot be opened',
	],
	['', 'image', { headers: { 'content-type': 'image/png' }, body: '\x89PNG' }, /unsupported-type/, 'image/png'],
	[
		'',
		'json',
		{ headers: { 'content-type': 'application/json' }, body: '{"a":1}' },
		/unsupported-type/,
		'application/json',
	],
];

/** Short pages with text of their own. */
const honest: Readonly<Record<string, TestAnswer>> = {
	closed: page(`<title>Shop</title><body><p>The shop is closed today.</p><script src="/analytics.js"></script></body>`),
	header: page(
		'<title>Tides</title><body><header><form><input type=password></form></header><main><p>High water is at noon.</p></main></body>',
	),
	about: page(
		'<title>Help</title><main><h1>JavaScript</h1><p>How to enable JavaScript in your browser: open the settings, choose Privacy, then Content, and switch it on.</p></main>',
	),
	recipe: page(
		`<title>Recipe</title><main><h1>Cookies</h1><p>Mix butter and sugar. ${'Stir well and bake the cookies until they are brown. '.repeat(8)}</p></main>`,
	),
	word: { headers: { 'content-type': 'text/plain' }, body: 'ok' },
};

const refresh = (content: string) => `<meta http-equiv="refresh" content="${content}">`;

/** Pages that redirect to `/target`. */
const leading: Readonly<Record<string, TestAnswer>> = {
	instant: page(`<!doctype html>${refresh('0;url=/target')}<title>x</title>`),
	'other-form': page(`<!doctype html><META HTTP-EQUIV=Refresh CONTENT="2; URL='/target'"><p>You are sent on.</p>`),
	header: { headers: { 'content-type': 'text/html', refresh: '0; url=/target' }, body: '' },
	'in-noscript': page(`<script>location="/target"</script><noscript>${refresh('0;url=/target')}</noscript>`),
	twice: page(refresh('0;url=/instant')),
};

/** Pages that redirect later, and are themselves read. */
const staying: Readonly<Record<string, TestAnswer>> = {
	news: page(`${refresh('300')}<title>News</title><main><p>This page is loaded anew every five minutes.</p></main>`),
	slow: page(`${refresh('30;url=/target')}<title>Slow</title><main><p>This page leads on in half a minute.</p></main>`),
};

const others: Readonly<Record<string, TestAnswer>> = {
	...honest,
	...leading,
	...staying,
	target: page('<title>Target</title><main><h1>Target</h1><p>The page that was meant.</p></main>'),
	refused: page(refresh('0;url=/secret')),
	secret: page('<title>Secret</title><p>Nobody reads this.</p>'),
	'robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /secret\n' },
};

let web: TestWeb;
let service: TestService;
let client: Client;
beforeAll(async () => {
	web = await startWeb(({ path }) => empty.find(([, name]) => path === `/${name}`)?.[2] ?? others[path.slice(1)]);
	service = await startService({ fetching: testSites(web.lookup, 'empty.test') });
	client = await connectHttp(service.url);
});
afterAll(async () => {
	await client.close();
	await service.close();
	await web.close();
});

const fetchPage = (name: string) =>
	client.callTool({ name: 'fetch_document', arguments: { url: web.url('empty.test', `/${name}`) } });

describe('a page without content is an error that says why and what to do', () => {
	for (const [id, name, , ours, inside] of empty)
		it(`${id} ${name}`, async () => {
			// The second result comes from the store.
			for (const result of [await fetchPage(name), await fetchPage(name)]) {
				const parts = apart(textOf(result));
				expect([result.isError, parts.outside.join('\n')]).toEqual([true, expect.stringMatching(ours)]);
				if (inside !== undefined) expect(parts.inside).toContain(inside);
			}
		});

	it.each(Object.keys(honest))('a short page with text is not an error: %s', async (name) => {
		const result = await fetchPage(name);
		expect([result.isError ?? false, apart(textOf(result)).inside]).toEqual([false, expect.stringMatching(/\w/)]);
	});
});

describe('a refresh of three seconds or less is a redirect', () => {
	it.each(Object.keys(leading))('S2-15 %s', async (name) => {
		const result = await fetchPage(name);
		const { inside, outside } = apart(textOf(result));
		expect([result.isError ?? false, inside]).toEqual([false, expect.stringContaining('The page that was meant.')]);
		expect(inside).toContain(`source: ${web.url('empty.test', '/target')}`);
		expect(outside[0]).toBe(`url: ${web.url('empty.test', `/${name}`)}`);
	});

	it.each(Object.keys(staying))('S2-15 a longer one is not a redirect: %s', async (name) => {
		expect(apart(textOf(await fetchPage(name))).inside).toContain('This page');
	});

	it('S2-15 a refresh to a page that its site disallows is refused', async () => {
		const result = await fetchPage('refused');
		expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('Disallow: /secret')]);
		expect(web.log.some(({ path }) => path === '/secret')).toBe(false);
	});
});

it('S2-13 with --render auto, a page that scripts create is read in a browser', async () => {
	const local = await startWeb(({ path }) =>
		path === '/app'
			? page('<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>')
			: path === '/app.js'
				? {
						headers: { 'content-type': 'text/javascript' },
						body: 'root.innerHTML = "<main><h1>App</h1><p>Words that only a script writes.</p></main>"',
					}
				: undefined,
	);
	const rendering = await connectStdio(...fromOwnServers, '--render', 'auto');
	const url = `http://127.0.0.1:${local.port}/app`;
	const result = await rendering.callTool({ name: 'fetch_document', arguments: { url } });
	expect([result.isError ?? false, apart(textOf(result)).inside]).toEqual([
		false,
		expect.stringContaining('Words that only a script writes.'),
	]);
	await rendering.close();
	await local.close();
}, 60_000);
