import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startWeb } from '../testing/web.ts';
import { expectLimited, requestsOfPages } from './testing/floods.ts';
import { app, noChromium, paragraphs, renderAt, renderFrom, script, show } from './testing/rendered.ts';

const shown = show(`<main>${paragraphs}</main>`);

describe.skipIf(noChromium)('a hostile page', () => {
	it.each([
		['a script without end', 'for (;;);', { time: 3000 }],
		[
			'more memory than it may use',
			'const all = []; for (;;) all.push(new Uint8Array(1 << 24).fill(1));',
			{ memory: 400 },
		],
		['more heap than V8 gives', 'const all = []; for (;;) all.push(new Array(4e6).fill(1.5));', {}],
		['more content than is taken', `document.body.append('x'.repeat(200_000));`, { html: 100_000 }],
	] as const)('AWI-18 %s: the page as it was sent', async (_, code, renderLimits) => {
		const written = `<main>${paragraphs}</main>`;
		const web = await startWeb(({ path }) =>
			path === '/good' ? app(shown) : path === '/' ? app(code, '').replace('</body>', `${written}</body>`) : undefined,
		);
		try {
			const { result, mode, markdown } = await renderAt(web, '/', { renderLimits });
			expect(result.outcome).toBe('fetched');
			expect(mode).toBe('static_after_render_failure');
			expect(markdown).toContain('somebody has written');
		} finally {
			await web.close();
		}
	});

	it.each([
		['goes to where nothing is asked for', 'text/html', `location = 'about:blank';`, '<br>'],
		[
			'goes to what it has made',
			'text/html',
			`location = URL.createObjectURL(new Blob(['<p>made</p>'], { type: 'text/html' }));`,
			'<br>',
		],
		['is no well-formed XML', 'application/xhtml+xml', '', '<br>'],
	])('AWI-18 that %s: the page as it was sent', async (_, type, code, odd) => {
		const body = app(code, '').replace('</body>', `${odd}<main>${paragraphs}</main></body>`);
		const { result, mode, markdown } = await renderFrom(() => ({ headers: { 'Content-Type': type }, body }));
		expect(result.outcome).toBe('fetched');
		expect(mode).toBe('static_after_render_failure');
		expect(markdown).toContain('somebody has written');
	});

	it('AWI-18 a browser that cannot be started: the page as it was sent', async () => {
		const { result, mode } = await renderFrom(
			() => app('', '').replace('</body>', `<main>${paragraphs}</main></body>`),
			{
				chromium: '/bin/false',
			},
		);
		expect(result.outcome).toBe('fetched');
		expect(mode).toBe('static_after_render_failure');
	});

	// The long tests make as many as 10,000.
	it.each(Object.keys(requestsOfPages) as (keyof typeof requestsOfPages)[])(
		'500 requests by %s: no more than the limit go out, and the page is rendered',
		async (kind) => {
			await expectLimited(500, kind);
		},
	);

	it('a call beyond the most that a page may make fails as one without a network', async () => {
		const { markdown, asked } = await renderFrom(
			({ path }) =>
				path === '/'
					? app(`const note = (text) => { document.querySelector('main').append(text + ' '); };
						${shown}
						(async () => {
							for (let at = 0; at < 1000; at++) fetch('/data/' + at, { method: 'POST' }).catch(() => {});
							await fetch('/last').catch((error) => note('fetch: ' + error.constructor.name));
							const call = new XMLHttpRequest(); call.open('GET', '/last');
							call.onerror = () => note('call: ' + call.status); call.onloadend = () => note('ended'); call.send();
							note(await (await fetch('data:,inline')).text());
						})();`)
					: path === '/last'
						? 'served'
						: undefined,
			{ renderLimits: { requests: 20 } },
		);
		// These calls are within the limit of requests, so that only the limit of calls can refuse them.
		expect(asked).toEqual(['/']);
		expect(markdown).toMatch(/fetch: TypeError/);
		expect(markdown).toMatch(/call: 0 ended/);
		expect(markdown).toMatch(/inline/);
	});

	it('dialogs, windows, frames, downloads, beacons, forms: nothing is waited for, and nothing goes out', async () => {
		const { mode, markdown, asked } = await renderFrom(({ path }) =>
			path === '/'
				? app(`alert('a'); confirm('b'); prompt('c'); print();
					window.open('/window'); const link = document.createElement('a');
					link.href = '/new-window'; link.target = '_blank'; document.body.append(link); link.click();
					const file = document.createElement('a'); file.href = '/file'; file.download = 'x'; document.body.append(file); file.click();
					const frame = document.createElement('iframe'); frame.src = '/frame'; document.body.append(frame);
					navigator.sendBeacon('/beacon', 'x'); new Image().src = '/pixel.png';
					fetch('/post', { method: 'POST', body: 'x' }).catch(() => {}); fetch('/kept', { keepalive: true, method: 'PUT' }).catch(() => {});
					const form = document.createElement('form'); form.action = '/form'; form.method = 'post'; document.body.append(form); form.submit();
					addEventListener('beforeunload', (event) => event.preventDefault());
					${shown}`)
				: undefined,
		);
		expect(mode).toBe('rendered');
		expect(markdown).toContain('somebody has written');
		expect(asked).toEqual(['/']);
	});

	it('gets at no private address, by whatever way', async () => {
		const inside = createServer((socket) => {
			reached++;
			socket.destroy();
		});
		let reached = 0;
		inside.listen(0, '127.0.0.1');
		await once(inside, 'listening');
		const { port } = inside.address() as { port: number };
		const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `inside.test:${port}`, `[::ffff:7f00:1]:${port}`];
		const tries = hosts.map(
			(host) => `
			fetch('http://${host}/').catch(() => {});
			{ const script = document.createElement('script'); script.src = 'http://${host}/x.js'; document.body.append(script); }
			{ const link = document.createElement('link'); link.rel = 'preconnect'; link.href = 'http://${host}/'; document.head.append(link); }
			{ const link = document.createElement('link'); link.rel = 'prefetch'; link.href = 'http://${host}/p'; document.head.append(link); }
			{ const frame = document.createElement('iframe'); frame.srcdoc = '<script>try { new WebSocket("ws://${host}/") } catch {}<' + '/script>'; document.body.append(frame); }
			try { new WebSocket('ws://${host}/'); } catch {}
			try { new EventSource('http://${host}/'); } catch {}
			try { new Worker(URL.createObjectURL(new Blob(['fetch("http://${host}/w"); new WebSocket("ws://${host}/")']))); } catch {}
			try { const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${host}' }] }); peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer)); } catch {}`,
		);
		const { mode, result } = await renderFrom(({ path }) =>
			path === '/'
				? app(`${tries.join('')} ${shown} setTimeout(() => { location = 'http://127.0.0.1:${port}/'; }, 0);`)
				: undefined,
		);
		inside.close();
		expect(mode).toBe('rendered');
		expect(result.url).toContain('h.test');
		expect(reached).toBe(0);
	});

	it('registers no service worker, and keeps nothing for the next page', async () => {
		const page = app(`
			const seen = [localStorage.length, document.cookie, 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null];
			localStorage.setItem('kept', 'kept'); document.cookie = 'kept=kept';
			navigator.serviceWorker?.register('/worker.js').catch(() => {});
			${show(`<main>${paragraphs}<p id="seen"></p></main>`)} document.getElementById('seen').textContent = 'seen: ' + JSON.stringify(seen);`);
		const web = await startWeb(({ path }) =>
			path === '/worker.js' ? script('') : path.startsWith('/page') ? page : undefined,
		);
		try {
			for (const path of ['/page/1', '/page/2']) {
				const { markdown, asked } = await renderAt(web, path);
				expect(markdown.replaceAll('\\', '')).toContain('seen: [0,"",false]');
				expect(asked).not.toContain('/worker.js');
			}
			expect(web.log.every(({ headers }) => headers.cookie === undefined)).toBe(true);
		} finally {
			await web.close();
		}
	});
});
