import { explainReason, type FetchOptions, fetchDocument, findChromium, type Result } from '@wayleave/crawler';
import { exitCodes, type Terminal, UsageError } from '../command.ts';
import type { FetchFlags } from '../commands/fetch.ts';
import { agentOptions, missingBotPage } from '../options/agent.ts';
import { tellMisspelt } from '../options/category.ts';
import { favored } from '../options/favor.ts';
import { type RenderFlags, renderOptions, withoutBrowser } from '../options/render.ts';
import { readAddress } from '../options/seeds.ts';
import { storeUrl } from '../options/store.ts';
import { manyLines, oneLine } from '../output/one-line.ts';
import { placeOf } from '../output/place.ts';
import { limitTexts, obligationTexts } from '../output/terms.ts';

export async function runFetch(address: string, flags: FetchFlags, terminal: Terminal): Promise<number> {
	if (flags.format === 'som' && flags.store !== undefined)
		throw new UsageError('--format som is made of the page itself, not of a stored copy: leave --store out');
	const url = readAddress(address);
	tellMisspelt([flags.category], terminal);
	const missing = missingBotPage(flags, [url]);
	if (missing !== undefined) terminal.err(`${missing}\n`);
	tellMissingBrowser(flags, terminal);
	const stop = new AbortController();
	const ignore = terminal.onInterrupt(() => stop.abort());
	const options: FetchOptions = {
		...agentOptions(flags, [url], terminal.cwd),
		...renderOptions(flags),
		...favored(flags),
		economics: flags.economics,
		freshnessPolicy: flags.forceRefresh ? 'force_refresh' : 'cache_first',
		signal: stop.signal,
		...(flags.store === undefined ? {} : { store: storeUrl(flags.store, terminal.cwd) }),
	};
	try {
		if (flags.format !== 'som') return print(await fetchDocument(url, options), flags.format, flags, terminal);
		return await printSom(url, { ...options, economics: false }, flags, terminal);
	} finally {
		ignore();
	}
}

async function printSom(url: string, options: FetchOptions, flags: FetchFlags, terminal: Terminal): Promise<number> {
	const { fetchSource, somOfSource } = await import('../som/som-of.ts');
	const { result, source } = await fetchSource(url, options);
	if (source === undefined) return print(result, 'json', flags, terminal);
	terminal.out(`${(await somOfSource(source, {})).text}\n`);
	tellTerms(result, terminal);
	return tellContent(result, flags, terminal);
}

function print(result: Result, format: 'json' | 'markdown', flags: FetchFlags, terminal: Terminal): number {
	if (result.document === undefined) {
		terminal.err(`${explainFailure(result)}\n`);
		return exitCodes.found;
	}
	const { document } = result;
	terminal.out(format === 'json' ? `${JSON.stringify(document, null, 2)}\n` : `${document.content.markdown}\n`);
	tellTerms(result, terminal);
	return tellContent(result, flags, terminal);
}

/**
 * Whether the page says anything, as an exit code. A page that its scripts make says nothing as it is sent: that it was
 * had must not look like success.
 */
export function tellContent(
	{ document }: Result,
	flags: RenderFlags & { readonly forceRefresh?: boolean },
	terminal: Terminal,
): number {
	if (document?.source.render_mode === 'static_after_render_failure')
		terminal.err('a browser could not show the page, and this is what was sent\n');
	if (document === undefined || document.content.markdown.trim() !== '') return exitCodes.ok;
	const stored = document.cache?.body_fetched === false;
	const advice = [
		...((flags.render ?? 'never') === 'never' ? ['--render auto'] : []),
		...(stored && flags.forceRefresh !== true ? ['--force-refresh'] : []),
	];
	const next = advice.length === 0 ? '' : `; where its scripts make it, a browser reads it: ${advice.join(' ')}`;
	terminal.err(
		document.source.render_mode === 'rendered'
			? 'the page has no content, in a browser neither\n'
			: `the page has no content as it is sent${next}\n`,
	);
	return exitCodes.found;
}

/** With `auto` the page is had all the same. */
export function tellMissingBrowser({ render, chromium }: RenderFlags, terminal: Terminal): void {
	if (render === 'auto' && findChromium(chromium) === undefined) terminal.err(`${withoutBrowser}\n`);
}

/** What the site asks of whoever uses the page. */
export function tellTerms(result: Result, terminal: Terminal): void {
	const { obligations = {}, limits = {} } = result.policy ?? {};
	for (const text of [...obligationTexts(obligations), ...limitTexts(limits)])
		terminal.err(`the site asks: ${oneLine(text)}\n`);
}

/** Why there is no document: the outcome, the reason, and the line that decided. */
export function explainFailure(result: Result): string {
	const reason = result.reason === undefined ? '' : ` (${result.reason}): ${explainReason(result.reason)}`;
	const detail = result.detail === undefined ? '' : `\n  ${result.detail}`;
	const evidence = (result.evidence ?? []).map((one) => `\n  ${placeOf(one)}  ${one.text.trim()}`);
	return manyLines(`${result.outcome}${reason}\n  ${result.url}${detail}${evidence.join('')}`);
}
