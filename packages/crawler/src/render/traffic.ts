import { present } from '@wayleave/protocols';
import type { Page, Request, Route } from 'playwright-core';
import type { PageToRender } from './types.ts';

/** Resource types that a page may load; images, media, fonts, frames, beacons, sockets and downloads are refused. */
const loaded = new Set(['script', 'fetch', 'xhr']);
/** Of the page's own headers, those that say what it wants. */
const passed = ['accept', 'origin', 'x-requested-with'];

/**
 * Everything that a page asks of the network, answered here: nothing of it goes out from the browser itself.
 * The first document is the one that was fetched already. To wherever scripts go on from there is noted, and not gone.
 */
export class Traffic {
	readonly navigations = new Set<string>();
	/** Requests that the browser has reported, refused ones included. */
	seen = 0;
	/** Requests under way. */
	open = 0;
	/** When the last request began or ended; milliseconds since 1970. */
	lastChange = Date.now();
	readonly #page: Page;
	readonly #source: PageToRender;
	/** Aborted when the page is done with. */
	readonly #over: AbortSignal;
	#document = false;
	#requests = 0;
	#bytes = 0;

	constructor(page: Page, source: PageToRender, over: AbortSignal) {
		this.#page = page;
		this.#source = source;
		this.#over = over;
	}

	async response(route: Route): Promise<void> {
		const request = route.request();
		this.seen++;
		try {
			if (request.isNavigationRequest()) await this.#navigate(route, request);
			else await this.#serve(route, request);
		} catch {
			// The page is gone, and its requests with it.
		}
	}

	async #navigate(route: Route, request: Request): Promise<void> {
		const isMain = request.frame() === this.#page.mainFrame();
		if (!isMain) return route.abort('blockedbyclient');
		if (this.#document) {
			if (request.method() === 'GET') this.navigations.add(request.url());
			// The page stays where it is.
			return route.abort('aborted');
		}
		this.#document = true;
		const { body, contentType, contentSecurityPolicy } = this.#source;
		await route.fulfill({
			status: 200,
			headers: present({ 'content-type': contentType, 'content-security-policy': contentSecurityPolicy }),
			body: Buffer.from(body.buffer, body.byteOffset, body.length),
		});
	}

	async #serve(route: Route, request: Request): Promise<void> {
		const type = request.resourceType();
		// A style sheet that fails can stop the scripts that wait for it.
		if (type === 'stylesheet') return route.fulfill({ status: 200, contentType: 'text/css', body: '' });
		if (!loaded.has(type) || request.method() !== 'GET' || this.#isOver()) return route.abort('blockedbyclient');
		this.#requests++;
		this.#change(1);
		try {
			const all = request.headers();
			const headers = passed.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]]));
			const resource = await this.#source.load(request.url(), Object.fromEntries(headers), this.#over);
			if (resource === undefined) return await route.abort('blockedbyclient');
			this.#bytes += resource.body.length;
			const { status, body } = resource;
			const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
			await route.fulfill({ status, headers: { ...resource.headers }, body: bytes });
		} finally {
			this.#change(-1);
		}
	}

	#isOver(): boolean {
		const { requests, bytes } = this.#source.limits;
		return this.#requests >= requests || this.#bytes >= bytes;
	}

	#change(by: number): void {
		this.open += by;
		this.lastChange = Date.now();
	}
}
