import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PageBrowser } from './browser.ts';
import { findChromium } from './find-chromium.ts';
import { renderPage } from './render-page.ts';
import { app, noChromium, paragraphs, show } from './testing/rendered.ts';
import { defaultRenderLimits, type PageToRender } from './types.ts';

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'wayleave-browser-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A Chromium that writes down its process each time it is started. */
async function counted(): Promise<{ executable: string; started: () => Promise<number[]> }> {
	const [executable, list] = [join(folder, 'chromium'), join(folder, 'started')];
	await writeFile(executable, `#!/bin/sh\necho $$ >> '${list}'\nexec '${findChromium()}' "$@"\n`);
	await chmod(executable, 0o755);
	return { executable, started: async () => (await readFile(list, 'utf8')).trim().split('\n').map(Number) };
}

const page = (html: string, load: PageToRender['load'] = async () => undefined): PageToRender => ({
	url: 'http://h.test/',
	body: Buffer.from(html),
	contentType: 'text/html; charset=utf-8',
	contentSecurityPolicy: undefined,
	load,
	limits: defaultRenderLimits,
});

it('a browser that ends while a page is being opened in it is not waited for', async () => {
	const never = () => new Promise<never>(() => {});
	const browser = { newContext: async () => ({ newPage: never, close: never }), isConnected: () => false };
	const lost = new AbortController();
	const rendering = renderPage(browser as never, page(''), 'Test/1.0', lost.signal);
	lost.abort();
	expect(await rendering).toEqual({
		rendering: { ok: false, detail: 'the browser exited', browserLost: true },
		isStuck: false,
	});
});

describe.skipIf(noChromium)('the browser', () => {
	it('is replaced after so many pages, though there are always some open', async () => {
		const { executable, started } = await counted();
		const browser = new PageBrowser(executable, 'Test/1.0', 1024, 2);
		const given = await Promise.all(Array.from({ length: 3 }, () => browser.render(page(app(show(paragraphs))))));
		await browser.close();
		expect(given.map(({ ok }) => ok)).toEqual([true, true, true]);
		expect(await started()).toHaveLength(2);
		for (const id of await started()) expect(() => process.kill(id, 0)).toThrow('ESRCH');
	});

	it('that is killed is started again, and its pages are rendered all the same', async () => {
		const { executable, started } = await counted();
		const browser = new PageBrowser(executable, 'Test/1.0', 1024);
		let asked = 0;
		const load = async () => {
			if (++asked === 1) process.kill((await started())[0]!, 'SIGKILL');
			return { status: 200, headers: { 'content-type': 'text/javascript' }, body: Buffer.from(show(paragraphs)) };
		};
		const pages = Array.from({ length: 2 }, () => page(app('', '<script src="/app.js" defer></script>'), load));
		const given = await Promise.all(pages.map((one) => browser.render(one)));
		await browser.close();
		expect(given.map((rendering) => rendering.ok && rendering.html.includes('somebody has written'))).toEqual([
			true,
			true,
		]);
		expect(await started()).toHaveLength(2);
	});
});
