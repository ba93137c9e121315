import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Traffic } from './traffic.ts';
import type { PageToRender, Rendering } from './types.ts';

/** Milliseconds without a request after which a page counts as done. */
const quiet = 500;
/** Milliseconds that a page may take to hand over its content, a context to end, and a page without requests to be parsed. */
const patience = 5000;

/**
 * What would open further doors, or wait for somebody. The network of the browser is shut in any case (`browser.ts`);
 * without these a page goes on by other ways instead of waiting.
 */
const withoutDoors = `for (const name of ['Worker', 'SharedWorker', 'RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'EventSource', 'WebSocket'])
	delete globalThis[name];
globalThis.open = () => null;
globalThis.close = () => {};
globalThis.print = () => {};
if (globalThis.Navigator) Navigator.prototype.sendBeacon = () => true;`;

/** One page in a context of its own, of which nothing is left afterwards. */
export async function renderPage(
	browser: Browser,
	source: PageToRender,
	userAgent: string,
	lost: AbortSignal,
): Promise<{ readonly rendering: Rendering; readonly isStuck: boolean }> {
	const context = await browser.newContext({ userAgent, serviceWorkers: 'block', acceptDownloads: false });
	const rendering = await inContext(context, source, lost).catch((error: unknown) => asFailure(error));
	const isClosed = await within(
		context.close().then(() => true),
		patience,
	);
	return { rendering, isStuck: isClosed !== true && !lost.aborted };
}

async function inContext(context: BrowserContext, source: PageToRender, lost: AbortSignal): Promise<Rendering> {
	const page = await context.newPage();
	context.on('page', (popup) => void popup.close().catch(() => {}));
	const traffic = new Traffic(page, source);
	await context.addInitScript(withoutDoors);
	await context.route('**/*', (route) => traffic.answer(route));
	page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
	const end = Date.now() + source.limits.time;
	const fall = new Promise<Rendering>((resolve) => {
		page.on('crash', () => resolve(failed('the page has crashed: it may have used more memory than it may')));
		const onLost = () => resolve({ ...failed('the browser has ended'), browserLost: true });
		page.on('close', onLost);
		lost.addEventListener('abort', onLost, { once: true });
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
		await page.goto(source.url, { waitUntil: 'commit', timeout: source.limits.time });
		// A page that never comes to rest is taken as it is at the end of its time.
		while (Date.now() < end && !page.isClosed() && !isQuiet()) await new Promise((resolve) => setTimeout(resolve, 50));
		const html = await contentOf(page, source.limits.html);
		return { ok: true, html, navigations: [...traffic.navigations] };
	} catch (error) {
		return asFailure(error);
	}
}

/** Read where the scripts of the page cannot reach, so that what counts is what is there. */
async function contentOf(page: Page, most: number): Promise<string> {
	const session = await page.context().newCDPSession(page);
	const read = async () => {
		const { frameTree } = await session.send('Page.getFrameTree');
		const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
			frameId: frameTree.frame.id,
		});
		const expression = `(() => { const html = document.documentElement?.outerHTML ?? ''; return html.length > ${most} ? html.length : html; })()`;
		const { result } = await session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
		return result.value as string | number;
	};
	const html = await within(read(), patience);
	if (html === undefined) throw new Error('the page does not answer: its scripts do not come to an end');
	if (typeof html === 'number') throw new Error(`the page has grown to ${html} characters`);
	return `<!doctype html>${html}`;
}

/** Undefined where it takes longer. What fails later on is nobody's business any more. */
async function within<Value>(work: Promise<Value>, ms: number): Promise<Value | undefined> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<undefined>((resolve) => {
		timer = setTimeout(() => resolve(undefined), ms);
	});
	work.catch(() => {});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}

const failed = (detail: string) => ({ ok: false, detail }) as const;
const asFailure = (error: unknown): Rendering => failed((error as Error).message.split('\n', 1)[0]!);
