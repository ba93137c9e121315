import axe from 'axe-core';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { expect } from 'vitest';

/** Chromium with a new profile, which goes nowhere by itself. */
export function launchBrowser(): Promise<Browser> {
	const quiet = [
		'--disable-gpu',
		'--disable-quic',
		'--no-first-run',
		'--disable-background-networking',
		'--disable-component-update',
		'--disable-sync',
	];
	return chromium.launch({
		executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
		args: ['--no-sandbox', ...quiet],
	});
}

export interface PageOptions {
	readonly width?: number;
	readonly height?: number;
	readonly isDark?: boolean;
}

/** All widths and colour schemes in which a view is checked. */
export const appearances = [390, 1280, 1920].flatMap((width) =>
	[false, true].map((isDark) => ({ width, isDark, name: `${width} ${isDark ? 'dark' : 'light'}` })),
);

/**
 * Both layouts and both colour schemes, for views that are made of the parts of `ui.test.ts`, which is checked in every
 * pair: no style depends on both. The widest window has only more room, which `expectFits` checks.
 */
export const mainAppearances = appearances.filter(({ width, isDark }) => width < 1920 && isDark === (width === 1280));
export const widest: PageOptions = { width: 1920 };

const complaints = new WeakMap<Page, string[]>();

/**
 * Opens a view and waits until its figures are there. Scripts that fail, violations of the Content-Security-Policy and
 * requests to other origins are recorded for `expectQuiet`.
 */
export async function openView(browser: Browser, url: string, options: PageOptions = {}): Promise<Page> {
	const { width = 1280, height = 900, isDark = false } = options;
	const page = await browser.newPage({ colorScheme: isDark ? 'dark' : 'light', viewport: { width, height } });
	page.setDefaultTimeout(30_000);
	const found: string[] = [];
	complaints.set(page, found);
	await page.exposeFunction('hit', () => found.push('a text from outside ran as code'));
	page.on('dialog', (dialog) => {
		found.push(`dialog: ${dialog.message()}`);
		void dialog.dismiss();
	});
	page.on('pageerror', (error) => found.push(String(error)));
	page.on('console', (message) => message.type() === 'error' && found.push(message.text()));
	page.on('request', (request) => {
		const address = new URL(request.url());
		if (address.protocol !== 'blob:' && address.origin !== new URL(url).origin) found.push(`asked ${address.origin}`);
	});
	await page.goto(url);
	await settled(page);
	return page;
}

/** Waits until nothing on the page is loading. */
export async function settled(page: Page): Promise<void> {
	await page.locator('main h1').waitFor();
	await page.waitForFunction(() => document.querySelector('.skeleton, [aria-busy=true]') === null);
}

/** Fails if the page logged an error or broke its policy since it was opened. */
export function expectQuiet(page: Page): void {
	expect(complaints.get(page)).toEqual([]);
}

/** Fails where a text from outside (`hostileTexts`) became markup, style or code. */
export async function expectInert(page: Page): Promise<void> {
	const foreign = await page.evaluate(() => {
		const kinds = 'script, iframe, object, embed, base, meta, link, style, img, video, audio, math, marquee, template';
		const made = [...document.querySelectorAll(`body :is(${kinds})`)].map(({ outerHTML }) => outerHTML);
		const handlers = [...document.querySelectorAll('*')].filter((element) =>
			element.getAttributeNames().some((name) => name.startsWith('on') || name === 'srcdoc'),
		);
		const links = [...document.querySelectorAll('[href], [action], [src]')].filter((element) =>
			['href', 'action', 'src'].some((name) => {
				const value = element.getAttribute(name);
				return value !== null && new URL(value, location.href).origin !== location.origin;
			}),
		);
		return [...made, ...[...handlers, ...links].map(({ outerHTML }) => outerHTML.slice(0, 200))];
	});
	expect(foreign).toEqual([]);
	expectQuiet(page);
}

/** Whatever axe finds, of any weight: one line for each rule. */
export async function axeFaults(page: Page): Promise<string[]> {
	// Injected by the tools of the browser: the page itself lets in no script from elsewhere.
	if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
	const found = await page.evaluate(() =>
		(globalThis as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ['violations'], selectors: false }),
	);
	return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** The same page in another width and colour scheme, without loading it again. */
export async function appear(page: Page, { width = 1280, height = 900, isDark = false }: PageOptions): Promise<void> {
	await page.setViewportSize({ width, height });
	// Without transitions: colours on their way from one scheme to the other are not those that people see.
	await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light', reducedMotion: 'reduce' });
}

/** Fails where axe finds something or the page is wider than the window. */
export async function expectAccessible(page: Page): Promise<void> {
	expect(await axeFaults(page)).toEqual([]);
	await expectFits(page);
}

/** Fails where the page is wider than the window. */
export async function expectFits(page: Page): Promise<void> {
	expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** Text as people see it. */
export function seen(page: Page, selector = 'main'): Promise<string> {
	return textOf(page.locator(selector).first());
}

/** Text of an element as people see it. */
export async function textOf(element: Locator): Promise<string> {
	// biome-ignore lint/performance/useDomNodeTextContent: what is folded away is not seen
	return (await element.innerText()).trim();
}
