import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Traffic } from './traffic.ts';
import type { PageToRender, Rendering } from './types.ts';

/** Milliseconds without a request after which a page counts as done. */
const quiet = 500;
/** Milliseconds that a page may take to hand over its content, a context to end, and a page without requests to be parsed. */
const patience = 5000;
/** Calls of `fetch` and `XMLHttpRequest` after which a page is refused further ones at once; honest pages make far fewer. */
const maxCalls = 1000;

/**
 * Removes APIs that open connections or wait for a person. The browser has no network in any case (`browser.ts`);
 * without these a page goes on by other ways instead of waiting.
 */
const withoutDoors = `{
for (const name of ['SharedWorker', 'RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport'])
	delete globalThis[name];
// These are everywhere, and hardly a page asks first: they are there, and fail as without a network.
for (const name of ['Worker', 'EventSource', 'WebSocket'])
	globalThis[name] = class extends EventTarget {
		readyState = name === 'EventSource' ? 2 : 3;
		constructor() {
			super();
			setTimeout(() => {
				for (const event of [new Event('error'), new CloseEvent('close', { code: 1006 })]) {
					this['on' + event.type]?.(event);
					this.dispatchEvent(event);
				}
			});
		}
		postMessage() {}
		send() {}
		terminate() {}
		close() {}
	};
// Each refused request costs a round trip to this process. A page that floods the network is refused in the page itself.
const admitted = (() => {
	let calls = 0;
	const { URL, document } = globalThis;
	return (url) => {
		try {
			if (!/^https?:/.test(new URL(url?.url ?? url, document?.baseURI).protocol)) return true;
		} catch {}
		return ++calls <= ${maxCalls};
	};
})();
const { fetch } = globalThis;
globalThis.fetch = function (...given) {
	return admitted(given[0]) ? fetch.apply(globalThis, given) : Promise.reject(new TypeError('Failed to fetch'));
};
const { open, send } = XMLHttpRequest.prototype;
const refused = new WeakSet();
XMLHttpRequest.prototype.open = function (...given) {
	if (admitted(given[1])) refused.delete(this);
	else refused.add(this);
	return open.apply(this, given);
};
XMLHttpRequest.prototype.send = function (...given) {
	if (!refused.has(this)) return send.apply(this, given);
	setTimeout(() => {
		for (const name of ['error', 'loadend']) this.dispatchEvent(new ProgressEvent(name));
	});
};
globalThis.open = () => null;
globalThis.close = () => {};
globalThis.print = () => {};
if (globalThis.Navigator) Navigator.prototype.sendBeacon = () => true;
}`;

/** One page in a context of its own, of which nothing is left afterwards. */
export async function renderPage(
	browser: Browser,
	source: PageToRender,
	userAgent: string,
	lost: AbortSignal,
): Promise<{ readonly rendering: Rendering; readonly isStuck: boolean }> {
	const opening = browser.newContext({ userAgent, serviceWorkers: 'block', acceptDownloads: false });
	const over = new AbortController();
	setMaxListeners(0, over.signal); // each of its requests
	// Heard from the beginning: what is asked of a browser that ends meanwhile may never be answered.
	const gone = new Promise<Rendering>((resolve) => {
		lost.addEventListener('abort', () => resolve(failed('the browser exited')), { once: true });
	});
	const working = opening.then((context) => inContext(context, source, over.signal)).catch(asFailure);
	const response = await within(Promise.race([working, gone]), source.limits.time + 2 * patience);
	const rendering = response ?? failed('the browser does not respond');
	// Requests that still wait are no longer needed.
	over.abort();
	const closing = opening.then((context) => context.close());
	const isStuck = (await within(Promise.race([closing.then(goOn, goOn), gone]), patience)) === undefined;
	if (rendering.ok || browser.isConnected()) return { rendering, isStuck };
	return { rendering: { ...rendering, browserLost: true }, isStuck: false };
}

async function inContext(context: BrowserContext, source: PageToRender, over: AbortSignal): Promise<Rendering> {
	const page = await context.newPage();
	context.on('page', (popup) => void popup.close().catch(() => {}));
	const traffic = new Traffic(page, source, over);
	await context.addInitScript(withoutDoors);
	await context.route('**/*', (route) => traffic.response(route));
	page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
	const end = Date.now() + source.limits.time;
	const fall = new Promise<Rendering>((resolve) => {
		page.on('crash', () => resolve(failed('the page crashed, possibly by running out of memory')));
		page.on('close', () => resolve({ ...failed('the browser exited'), browserLost: true }));
	});
	return Promise.race([fall, take(page, traffic, source, end)]);
}

async function take(page: Page, traffic: Traffic, source: PageToRender, end: number): Promise<Rendering> {
	let isParsed = false;
	page.once('domcontentloaded', () => {
		isParsed = true;
		traffic.lastChange = Date.now();
	});
	const isQuiet = () => traffic.open === 0 && Date.now() - traffic.lastChange >= (isParsed ? quiet : patience);
	try {
		await page.goto(source.url + (source.hash ?? ''), { waitUntil: 'commit', timeout: source.limits.time });
		// A page that never comes to rest is taken as it is at the end of its time.
		while (Date.now() < end && !page.isClosed() && !isQuiet()) await sleep(50);
		const html = await contentOf(page, source, traffic);
		return { ok: true, html, navigations: [...traffic.navigations] };
	} catch (error) {
		return asFailure(error);
	}
}

/** Read where the scripts of the page cannot reach, so that what counts is what is there. */
async function contentOf(page: Page, { url, limits }: PageToRender, traffic: Traffic): Promise<string> {
	const session = await page.context().newCDPSession(page);
	const read = async () => {
		const { frameTree } = await session.send('Page.getFrameTree');
		const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
			frameId: frameTree.frame.id,
		});
		const expression = `(${takeContent})(${JSON.stringify(url)}, ${limits.html})`;
		const { result } = await session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
		return result.value as { readonly html?: string; readonly why: string };
	};
	// Commands wait behind the requests that the browser reports: while those arrive, it is busy and not stuck.
	const reading = read();
	let taken: Awaited<typeof reading> | undefined;
	let seen: number;
	do {
		seen = traffic.seen;
		taken = await within(reading, patience);
	} while (taken === undefined && traffic.seen > seen);
	if (taken === undefined) throw new Error('the page does not respond: its scripts keep running');
	if (taken.html === undefined) throw new Error(taken.why);
	return `<!doctype html>${taken.html}`;
}

/** Runs in the page. Addresses without a request, such as about:blank, cannot be blocked. */
const takeContent = `(asked, most) => {
	const { URL: url, baseURI, contentType, documentElement: root } = document;
	if (!/^https?:/.test(url)) return { why: 'the page navigated away to ' + url.slice(0, 100) };
	if (contentType !== 'text/html' && document.getElementsByTagName('parsererror').length > 0)
		return { why: 'the page is not well-formed XML' };
	// Its links are those of the address that its scripts have given it (history.pushState).
	if (url.split('#')[0] !== asked) {
		const base = document.createElement('base');
		base.href = baseURI;
		(document.head ?? root)?.prepend(base);
	}
	const html = root?.outerHTML ?? '';
	return html.length > most ? { why: 'the page has grown to ' + html.length + ' characters' } : { html };
}`;

const goOn = () => true;

/** Undefined if it takes longer. Later failures are ignored. */
async function within<Value>(work: Promise<Value>, ms: number): Promise<Value | undefined> {
	const over = new AbortController();
	work.catch(() => {});
	try {
		return await Promise.race([work, sleep(ms, undefined, { signal: over.signal })]);
	} finally {
		over.abort();
	}
}

const failed = (detail: string) => ({ ok: false, detail }) as const;
const asFailure = (error: unknown) => failed((error as Error).message.replace(/\n.*/s, ''));
