import type { Browser } from 'playwright-core';
import { type Processes, watchProcesses } from './processes.ts';
import { renderPage } from './render-page.ts';
import type { PageToRender, Rendering } from './types.ts';

/** Pages after which a browser is ended and another one started: what has leaked is given back. */
const pagesPerBrowser = 200;
/** Pages that are open at a time. */
const mostOpen = 2;

/**
 * The browser has no way out: names do not resolve, the proxy does not exist, and what a page asks for is answered from
 * here (`traffic.ts`). The rest keeps it from doing anything of its own accord.
 */
const flags = [
	'--host-resolver-rules=MAP * ~NOTFOUND',
	'--proxy-server=http://127.0.0.1:9',
	'--proxy-bypass-list=<-loopback>',
	'--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--disable-dev-shm-usage',
	'--js-flags=--max-old-space-size=512',
];

/** A browser that runs. */
interface Running {
	readonly browser: Browser;
	readonly processes: Processes;
	/** Pages that it was given. */
	pages: number;
}

/** Renders pages, no more than a few at a time, in a browser that is started for the first of them. */
export class PageBrowser {
	readonly #executable: string;
	readonly #userAgent: string;
	/** MiB that the process of a page may use. */
	readonly #memory: number;
	readonly #waiting: (() => void)[] = [];
	#open = 0;
	#running: Promise<Running> | undefined;
	#closed = false;

	constructor(executable: string, userAgent: string, memory: number) {
		this.#executable = executable;
		this.#userAgent = userAgent;
		this.#memory = memory;
	}

	async render(source: PageToRender): Promise<Rendering> {
		if (this.#open >= mostOpen) await new Promise<void>((resolve) => this.#waiting.push(resolve));
		else this.#open++;
		try {
			const rendering = await this.#render(source);
			// Another page may have taken the browser with it.
			return rendering.ok || rendering.browserLost !== true ? rendering : await this.#render(source);
		} catch (error) {
			return { ok: false, detail: (error as Error).message.split('\n', 1)[0]! };
		} finally {
			const next = this.#waiting.shift();
			if (next === undefined) this.#open--;
			else next();
		}
	}

	async close(): Promise<void> {
		this.#closed = true;
		await this.#end();
	}

	async #render(source: PageToRender): Promise<Rendering> {
		if (this.#closed) return { ok: false, detail: 'the crawl has ended' };
		const running = await this.#start();
		running.pages++;
		const stop = new AbortController();
		const lost = () => stop.abort();
		running.browser.once('disconnected', lost);
		try {
			const { rendering, isStuck } = await renderPage(running.browser, source, this.#userAgent, stop.signal);
			// What does not come to an end by itself would run on.
			if (isStuck) await running.processes.kill();
			return rendering;
		} finally {
			running.browser.off('disconnected', lost);
		}
	}

	async #start(): Promise<Running> {
		if (this.#open === 1 && this.#running !== undefined && (await this.#running).pages >= pagesPerBrowser)
			await this.#end();
		this.#running ??= this.#launch().catch((error: unknown) => {
			this.#running = undefined;
			throw error;
		});
		return this.#running;
	}

	async #launch(): Promise<Running> {
		const { chromium } = await import('playwright-core');
		const isRoot = process.getuid?.() === 0;
		const browser = await chromium.launch({
			executablePath: this.#executable,
			args: flags,
			// Chromium has no sandbox for root.
			chromiumSandbox: !isRoot,
			handleSIGINT: false,
			handleSIGTERM: false,
		});
		browser.once('disconnected', () => {
			this.#running = undefined;
		});
		return { browser, processes: await watchProcesses(browser, this.#memory), pages: 0 };
	}

	async #end(): Promise<void> {
		const running = await this.#running?.catch(() => undefined);
		this.#running = undefined;
		await running?.browser.close().catch(() => {});
	}
}
