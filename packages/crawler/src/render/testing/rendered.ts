import type { FetchOptions } from '../../config/options.ts';
import { fetchDocument } from '../../engine/fetch-document.ts';
import { type Answer, startWeb, type TestWeb } from '../../testing/web.ts';
import { findChromium } from '../find-chromium.ts';

/** Tests with a browser are left out where there is none. */
export const noChromium = findChromium() === undefined;

/** More text than a page has that shows nothing without its scripts. */
export const paragraphs = '<p>There is a paragraph here that somebody has written for people to read.</p>'.repeat(12);

/** A page whose script is all there is. */
export const app = (script: string, more = ''): string =>
	`<!doctype html><html lang="en"><head><title>An app</title>${more}</head><body><div id="root"></div><script>${script}</script></body></html>`;

/** What a script does to show its content. */
export const show = (html: string): string => `document.getElementById('root').innerHTML = ${JSON.stringify(html)};`;

export const script = (body: string) => ({ headers: { 'Content-Type': 'text/javascript' }, body });

/** A web for one test, and one page of it as a browser shows it. */
export async function renderFrom(answer: Answer, options: FetchOptions = {}, path = '/') {
	const web = await startWeb(answer);
	try {
		return { ...(await renderAt(web, path, options)), web };
	} finally {
		await web.close();
	}
}

export async function renderAt(web: TestWeb, path: string, options: FetchOptions = {}) {
	const result = await fetchDocument(web.url('h.test', path), {
		render: 'always',
		renderLimits: { time: 20_000 },
		delay: 0,
		lookup: web.lookup,
		...options,
	});
	const markdown = result.document?.content.markdown ?? '';
	return { result, markdown, mode: result.document?.source.render_mode, asked: web.paths('h.test').filter(isPage) };
}

const isPage = (path: string): boolean => !path.startsWith('/robots');
