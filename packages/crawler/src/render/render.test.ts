import { tmpdir } from 'node:os';
import { generateSigningKey, loadSigningKey } from '@wayleave/io/signatures';
import { describe, expect, it } from 'vitest';
import { crawl } from '../engine/crawl.ts';
import { fetchDocument } from '../engine/fetch-document.ts';
import type { CrawlEvent } from '../model/events.ts';
import { openStore } from '../store/sql/open.ts';
import { verdictsOf } from '../testing/signatures.ts';
import { startWeb } from '../testing/web.ts';
import { app, noChromium, paragraphs, renderFrom, script, show } from './testing/rendered.ts';

const json = (body: unknown) => ({ headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

it('pages that say little without their scripts are counted where there is no browser', async () => {
	const web = await startWeb(({ path }) => {
		if (path === '/') return `<main>${paragraphs}<a href="/app">on</a></main>`;
		return path === '/app' ? app(show(paragraphs)) : undefined;
	});
	const { bare } = await crawl([web.url('h.test')], { store: 'memory', delay: 0, lookup: web.lookup }).run();
	expect(bare).toEqual({ pages: 1, example: web.url('h.test', '/app') });
	await web.close();
});

describe.skipIf(noChromium)('a page that its scripts make', () => {
	it('AWI-01 AWI-17 is read as a browser shows it, and every request says who we are', async () => {
		const { result, markdown, mode, web } = await renderFrom(({ path }) => {
			if (path === '/') return app('', '<script src="/app.js" defer></script><link rel="stylesheet" href="/look.css">');
			if (path === '/app.js')
				return script(`fetch('/words.json').then((answer) => answer.json()).then(({ title }) => {
					document.getElementById('root').innerHTML = '<main><h1>' + title + '</h1>${paragraphs}<a href="/next">on</a><img src="/picture.png"></main>';
				});`);
			return path === '/words.json' ? json({ title: 'From the interface' }) : undefined;
		});
		expect(result.outcome).toBe('fetched');
		expect(mode).toBe('rendered');
		expect(markdown).toContain('somebody has written');
		expect(result.document?.structure.headings).toContainEqual(expect.objectContaining({ text: 'From the interface' }));
		expect(web.paths('h.test')).toEqual(['/robots.txt', '/robots2.txt', '/', '/app.js', '/words.json']);
		for (const { headers } of web.log) {
			expect(headers['user-agent']).toMatch(/^AIWebIndex\/2\.0 /);
			expect(headers['x-agent-identity']).toBeDefined();
			expect(Object.keys(headers)).not.toContain('cookie');
		}
	});

	it.each([['auto'], ['always']] as const)(
		'AWI-01 that was read without a browser before is opened by %s, though the server says that nothing has changed',
		async (render) => {
			const body = app(show(paragraphs));
			const web = await startWeb(({ path, headers }) => {
				if (path !== '/') return undefined;
				if (headers['if-none-match'] === '"1"') return { status: 304, headers: { ETag: '"1"' } };
				return { headers: { 'Content-Type': 'text/html', ETag: '"1"' }, body };
			});
			const store = await openStore('memory');
			const options = { store, delay: 0, lookup: web.lookup, renderLimits: { time: 20_000 } };
			const seed = web.url('h.test');
			await crawl([seed], options).run();
			const modes: unknown[] = [];
			for await (const { document } of crawl([seed], { ...options, render })) modes.push(document?.source.render_mode);
			expect(modes).toEqual(['rendered']);
			await store.close();
			await web.close();
		},
	);

	it('AMB-19 with a key every request of the browser is signed, each by itself', async () => {
		const signingKey = generateSigningKey();
		const key = loadSigningKey(signingKey);
		const { mode, web, asked } = await renderFrom(
			({ path }) => {
				if (path === '/') return app('', '<script src="/app.js"></script>');
				if (path === '/app.js')
					return script(`fetch('/words.json').then((answer) => answer.json()).then(() => { ${show(paragraphs)} });`);
				return path === '/words.json' ? json({}) : undefined;
			},
			{ identity: { signingKey, keyDirectory: 'https://bot.test/' } },
		);
		expect(mode).toBe('rendered');
		expect(asked).toEqual(['/', '/app.js', '/words.json']);
		for (const verdict of await verdictsOf(web, key))
			expect(verdict).toMatchObject({ outcome: 'valid', agent: 'https://bot.test', keyId: key.keyId });
		expect(new Set(web.log.map(({ headers }) => headers.signature)).size).toBe(web.log.length);
		for (const { headers } of web.log) expect(headers['user-agent']).toMatch(/^AIWebIndex\/2\.0 /);
	});

	it('AMB-19 does not load resources that robots.txt forbids', async () => {
		const { markdown, asked } = await renderFrom(({ path }) => {
			if (path === '/robots.txt') return 'User-agent: *\nDisallow: /private/';
			if (path === '/')
				return app(`${show(paragraphs)}
					fetch('/private/data').then((answer) => answer.text()).then((text) => document.body.append(text));
					fetch('/public').then((answer) => answer.text()).then((text) => {
						document.body.append(Object.assign(document.createElement('p'), { textContent: text }));
					});`);
			return path === '/public'
				? 'These are public words, a sentence of this page that its readers would miss as they would the others.'
				: undefined;
		});
		expect(asked).toEqual(['/', '/public']);
		expect(markdown).toContain('public words');
	});

	it('the links of both forms are found, and where its scripts wanted to go', async () => {
		const pages: Record<string, string> = {
			'/': app(
				`${show(`<main>${paragraphs}<a href="/made">made</a></main>`)} setTimeout(() => { location = '/gone-to'; }, 0);`,
				'<link rel="next" href="/written">',
			),
			'/made': app(show(`<main>${paragraphs}</main>`)),
			'/written': app(show(`<main>${paragraphs}</main>`)),
			'/gone-to': app(show(`<main>${paragraphs}</main>`)),
		};
		const web = await startWeb(({ path }) => pages[path]);
		const ends: Record<string, string | undefined> = {};
		const options = { render: 'auto', delay: 0, sitemaps: false } as const;
		for await (const { url, document } of crawl([web.url('127.0.0.1', '/')], options))
			ends[new URL(url).pathname] = document?.source.render_mode;
		await web.close();
		expect(ends).toEqual({ '/': 'rendered', '/made': 'rendered', '/written': 'rendered', '/gone-to': 'rendered' });
	});

	it('its relative links are those of the address that its router has given it', async () => {
		const { result } = await renderFrom(() =>
			app(`history.pushState({}, '', '/guide/first'); ${show(`<main>${paragraphs}<a href="second">on</a></main>`)}`),
		);
		expect(result.document?.structure.links).toMatchObject([{ url: expect.stringMatching(/\/guide\/second$/) }]);
	});

	it('a form that its script sends is a link, if it is not sent by POST', async () => {
		const sends = (method: string) =>
			app(`${show(paragraphs)} const form = document.createElement('form'); form.method = '${method}'; form.action = '/sent-by-${method}';
				document.body.append(form); form.submit();`);
		const web = await startWeb(({ path }) => (/^\/(?:get|post)$/.test(path) ? sends(path.slice(1)) : undefined));
		const seeds = [web.url('127.0.0.1', '/get'), web.url('127.0.0.1', '/post')];
		await crawl(seeds, { render: 'always', delay: 0, sitemaps: false }).run();
		const sent = web.paths('127.0.0.1').filter((path) => path.startsWith('/sent'));
		await web.close();
		expect(sent).toEqual([expect.stringMatching(/^\/sent-by-get/)]);
	});

	it.each([
		['text/html', 'valid-utf-8'],
		['application/octet-stream', 'valid-utf-8'],
		['text/plain; charset=windows-1252', 'header'],
	])(
		'AMB-98 a browser is told what %s was found to be, and the page says from where that is known',
		async (type, source) => {
			const body = app(
				`${show(paragraphs)} document.querySelector('p').textContent = 'Où ça? ' + document.characterSet;`,
			);
			const { result, markdown, mode } = await renderFrom(() => ({ headers: { 'Content-Type': type }, body }));
			expect(mode).toBe('rendered');
			expect(markdown).toContain(source === 'header' ? 'OÃ¹ Ã§a? windows-1252' : 'Où ça? UTF-8');
			expect(result.page?.charset).toMatchObject({ source });
		},
	);

	it('AMB-98 a page that declares two encodings says so when it is rendered, too', async () => {
		const body = `<meta charset="utf-8">${app(show(paragraphs))}`;
		const { result, mode } = await renderFrom(() => ({
			headers: { 'Content-Type': 'text/html; charset=windows-1252' },
			body,
		}));
		expect(mode).toBe('rendered');
		expect(result.page?.problems?.map(({ code }) => code)).toEqual(['charset-conflict']);
	});

	it('sockets, event sources and workers fail for scripts that do not check', async () => {
		const { markdown, asked } = await renderFrom(() =>
			app(
				`const said = []; const end = () => { ${show(`<main>${paragraphs}<p id="said"></p></main>`)} document.getElementById('said').textContent = said.join(' '); };
				new WebSocket('ws://' + location.host).onclose = () => said.push('socket');
				const events = new EventSource('/events'); events.addEventListener('error', () => said.push('events' + events.readyState)); events.close();
				const worker = new Worker('/worker.js'); worker.postMessage(1); worker.onerror = () => { said.push('worker'); end(); };`,
			),
		);
		expect(markdown).toContain('socket events2 worker');
		expect(asked).toEqual(['/']);
	});

	it('prohibitions of either form count', async () => {
		const forbids = '<meta name="robots" content="nofollow">';
		const undo = `document.querySelector('meta[name=robots]').remove();`;
		const web = await startWeb(({ path }) =>
			path === '/' ? app(`${show(`${paragraphs}<a href="/made">made</a>`)}${undo}`, forbids) : undefined,
		);
		const crawling = crawl([web.url('127.0.0.1', '/')], { render: 'auto', delay: 0, sitemaps: false });
		const summary = await crawling.run();
		await web.close();
		expect(summary.rows).toContainEqual(expect.objectContaining({ reason: 'nofollow', count: 1 }));
	});

	it('is not rendered where it says enough without', async () => {
		const page = `<!doctype html><title>Article</title><main><h1>Words</h1>${paragraphs}</main><script src="/app.js"></script>`;
		const { mode, asked } = await renderFrom(() => page, { render: 'auto' });
		expect(mode).toBe('static');
		expect(asked).toEqual(['/']);
	});

	it('a script is asked for once, however many pages have it', async () => {
		const page = (path: string) => app('', `<script src="/app.js" defer></script><link rel="next" href="${path}">`);
		const web = await startWeb(({ path }) =>
			path === '/app.js' ? script(show(`<main>${paragraphs}</main>`)) : path === '/' ? page('/2') : page('/'),
		);
		await crawl([web.url('127.0.0.1', '/')], { render: 'always', delay: 0, sitemaps: false }).run();
		const scripts = web.paths('127.0.0.1').filter((path) => path === '/app.js');
		await web.close();
		expect(scripts).toHaveLength(1);
	});
});

describe('without a browser', () => {
	it.each(['/there/is/none', tmpdir()])('a crawl that is to render all pages does not begin: %s', async (chromium) => {
		const options = { render: 'always', chromium } as const;
		const expected = { code: 'no-browser', message: expect.stringContaining(`${chromium} cannot be started`) };
		await expect(crawl(['http://127.0.0.1:1/'], options).run()).rejects.toMatchObject(expected);
		await expect(fetchDocument('http://127.0.0.1:1/', options)).rejects.toMatchObject(expected);
	});

	it('one that renders where needed goes on, and says so once', async () => {
		const before = { CHROMIUM_PATH: process.env.CHROMIUM_PATH, PATH: process.env.PATH };
		Object.assign(process.env, { CHROMIUM_PATH: '', PATH: '' });
		const web = await startWeb(({ path }) =>
			path.length < 3 ? app(show(paragraphs), '<link rel="next" href="/2">') : undefined,
		);
		try {
			const events: CrawlEvent[] = [];
			const crawling = crawl([web.url('127.0.0.1', '/')], { render: 'auto', delay: 0, sitemaps: false });
			crawling.on('problem', (event) => events.push(event));
			const { totals } = await crawling.run();
			expect(totals.failed).toBe(2);
			expect(events).toEqual([expect.objectContaining({ code: 'no-browser' })]);
		} finally {
			Object.assign(process.env, before);
			if (before.CHROMIUM_PATH === undefined) delete process.env.CHROMIUM_PATH;
			await web.close();
		}
	});
});
