import type { AIDocument } from '@wayleave/protocols/aidocument';
import { isPolicyLink } from '@wayleave/protocols/policy';
import { hashRoute, withoutRoute } from '../addresses/routes.ts';
import { CrawlError } from '../base/errors.ts';
import { mayDependOnScripts } from '../read/depends-on-scripts.ts';
import type { PageReading, PageSource } from '../read/read-page.ts';
import { PageBrowser } from './browser.ts';
import type { RenderContext } from './context.ts';
import { findChromium } from './find-chromium.ts';
import { createLoader } from './load-resource.ts';
import type { renderProblems } from './problems.ts';
import { defaultRenderLimits, type RenderOptions } from './types.ts';

/** A page that was fetched, on its way to be read. */
export interface FetchedPage {
	readonly source: PageSource;
	readonly contentSecurityPolicy: string | undefined;
	/** Whether the terms allow to go on with a page that says this about itself. */
	readonly permits: (reading: PageReading) => boolean;
	/** Told what the browser has made of it. */
	readonly onRendered: (given: Pick<PageSource, 'body' | 'contentType'>) => void;
}

/** Reads pages as a browser shows them. */
export interface Renderer {
	/** The page after its scripts have run, where that is wanted; else, and where it fails, the page as it was sent. */
	read(page: FetchedPage): Promise<PageReading>;
	/** Whether there is a browser: with `auto`, pages are read without it where none is found. */
	readonly hasBrowser: boolean;
	/** Whether a document that was made of the page as it was sent might be another one now, of the same page. */
	mayImprove(document: AIDocument): boolean;
	close(): Promise<void>;
}

/**
 * @param named hosts that may be on a private network
 * @param ownOrigins origins whose pages may use the credentials of the user
 * @throws CrawlError `no-browser` when all pages are to be rendered and there is no Chromium; with `auto` that is
 * reported, once, when a page would need one
 */
export function createRenderer(
	{ mode, chromium, limits, hash }: RenderOptions,
	named: ReadonlySet<string>,
	context: RenderContext,
	ownOrigins?: readonly string[],
): Renderer | undefined {
	if (mode === 'never') return undefined;
	const executable = findChromium(chromium);
	if (executable === undefined && (mode === 'always' || chromium !== undefined)) throw noBrowser(chromium);
	const bounds = { ...defaultRenderLimits, ...limits };
	const { userAgent } = context.settings;
	const browser = executable === undefined ? undefined : new PageBrowser(executable, userAgent, bounds.memory);
	const load = createLoader(context, named, ownOrigins);
	let reported = false;

	async function read({ source, contentSecurityPolicy, permits, onRendered }: FetchedPage): Promise<PageReading> {
		const still = await context.read(source);
		if ((mode === 'auto' && still.dependsOnScripts !== true) || !permits(still)) return still;
		if (browser === undefined) {
			if (!reported)
				context.emit({ type: 'problem', code: 'no-browser' satisfies RenderProblemCode, source: source.fetched.url });
			reported = true;
			return still;
		}
		const url = withoutRoute(source.fetched.url);
		const route = hash ?? hashRoute(source.fetched.url);
		const page = { url, hash: route, body: source.body, contentType: typeFor(source, still), contentSecurityPolicy };
		const rendering = await browser.render({ ...page, load: load(url), limits: bounds });
		if (!rendering.ok) {
			context.emit({
				type: 'problem',
				code: 'render-failed' satisfies RenderProblemCode,
				source: url,
				detail: rendering.detail,
			});
			return asFallback(still);
		}
		const given = { body: new TextEncoder().encode(rendering.html), contentType: 'text/html; charset=utf-8' };
		onRendered(given);
		const rendered = await context.read({
			...source,
			...given,
			fetched: { ...source.fetched, renderMode: 'rendered' },
		});
		return together(still, rendered, rendering.navigations);
	}

	return {
		read,
		hasBrowser: browser !== undefined,
		mayImprove: ({ source, content }) =>
			browser !== undefined &&
			source.render_mode !== 'rendered' &&
			(mode === 'always' || mayDependOnScripts(content.markdown)),
		close: async () => browser?.close(),
	};
}

type RenderProblemCode = keyof typeof renderProblems;

function noBrowser(chromium: string | undefined): CrawlError {
	const which = chromium === undefined ? 'no Chromium was found' : `${chromium} cannot be started`;
	return new CrawlError('no-browser', `${which}: install Chromium, or set its path with --chromium or CHROMIUM_PATH`);
}

/** AIWebIndex 2.0 §4.2: rendering was tried, and this is not what came of it. */
function asFallback({ document, ...rest }: PageReading): PageReading {
	const source = { ...document.source, render_mode: 'static_after_render_failure' as const };
	return { ...rest, document: { ...document, source } };
}

/** Content type for the browser: the one we detected, so that it does not sniff another. */
function typeFor({ contentType = '' }: PageSource, { page }: PageReading): string {
	const type = /^[^;]*\bxml\b|\+xml/i.test(contentType) ? 'application/xhtml+xml' : 'text/html';
	return `${type}; charset=${page.charset?.encoding ?? 'utf-8'}`;
}

/** Joins both forms of a page: links of either count, and so do prohibitions of either. */
function together(still: PageReading, rendered: PageReading, navigations: readonly string[]): PageReading {
	const robots = [...(still.page.robots ?? []), ...(rendered.page.robots ?? [])];
	const once = new Map(robots.map((rule) => [JSON.stringify(rule), rule]));
	const links = rendered.page.links ?? [];
	// The rendered form is always decoded as the first one was.
	const charset = (still.page.problems ?? []).filter(({ code }) => code === 'charset-conflict');
	const gone = (still.page.links ?? []).filter(
		(link) => isPolicyLink(link) && !links.some(({ rel, url }) => rel === link.rel && url === link.url),
	);
	return {
		...rendered,
		page: {
			...rendered.page,
			...(still.page.charset && { charset: still.page.charset }),
			...(charset.length > 0 && { problems: [...(rendered.page.problems ?? []), ...charset] }),
			...(once.size > 0 && { robots: [...once.values()] }),
			...(gone.length > 0 && { links: [...links, ...gone] }),
		},
		links: [...new Set([...rendered.links, ...still.links, ...navigations])],
	};
}
