import {
	chunkLines,
	explainReason,
	type FetchOptions,
	fetchDocument,
	findChromium,
	hashRoute,
	type Result,
} from '@wayleave/crawler';
import { watchAnswers } from '../cli/tell-requests.ts';
import { exitCodes, type Terminal, UsageError } from '../command.ts';
import type { FetchFlags } from '../commands/fetch.ts';
import { tellMisspelt } from '../options/category.ts';
import { chunkOptions } from '../options/chunks.ts';
import { agentOptions } from '../options/client.ts';
import { favored } from '../options/favor.ts';
import { NewFiles } from '../options/new-files.ts';
import { type RenderFlags, renderOptions, withoutBrowser } from '../options/render.ts';
import { readAddress } from '../options/seeds.ts';
import { filesOfStore, storeUrl } from '../options/store.ts';
import { manyLines, oneLine } from '../output/one-line.ts';
import { placeOf } from '../output/place.ts';
import { tellFailure } from '../output/tell-failure.ts';
import { limitTexts, obligationTexts } from '../output/terms.ts';
import { waitNotes } from '../output/wait-notes.ts';

export async function runFetch(address: string, flags: FetchFlags, terminal: Terminal): Promise<number> {
	if (flags.format === 'som' && flags.store !== undefined)
		throw new UsageError('--format som compiles the page itself, not a stored copy: omit --store');
	if (flags.json && flags.format === 'markdown')
		throw new UsageError('--json and --format markdown cannot be combined: choose one');
	if (flags.chunks !== undefined && flags.format !== 'json')
		throw new UsageError(`--chunks and --format ${flags.format} cannot be combined: omit --format`);
	const hash = hashRoute(address);
	const isRendered = flags.render !== undefined && flags.render !== 'never';
	const url = readAddress(address.replace(/#.*$/s, '')) + (isRendered ? (hash ?? '') : '');
	if (hash !== undefined && !isRendered)
		terminal.note(`${oneLine(hash)} is left out: a route after # needs --render always\n`);
	else if (hash !== undefined && flags.store !== undefined)
		terminal.note('--store has no pages by their route after #: it is not used\n');
	tellMisspelt([flags.category], terminal);
	tellMissingBrowser(flags, terminal);
	const stop = new AbortController();
	const ignore = terminal.onInterrupt(() => stop.abort());
	const notes = waitNotes(terminal, flags);
	const options: FetchOptions = {
		...(await agentOptions(flags, [url], terminal)),
		...renderOptions(flags),
		...favored(flags),
		economics: flags.economics,
		freshnessPolicy: flags.forceRefresh ? 'force_refresh' : 'cache_first',
		signal: stop.signal,
		onProgress: notes.onProgress,
		...(flags.store === undefined ? {} : { store: storeUrl(flags.store, terminal.cwd) }),
	};
	const made = new NewFiles(flags.store === undefined ? [] : filesOfStore(flags.store, terminal.cwd));
	const answers = watchAnswers();
	try {
		if (flags.chunks !== undefined) return await printChunks(await fetchDocument(url, options), flags, terminal);
		if (flags.format !== 'som') return print(await fetchDocument(url, options), flags.format, flags, terminal);
		return await printSom(url, { ...options, economics: false }, flags, terminal);
	} finally {
		notes.stop();
		ignore();
		answers.stop();
		// The address may be mistyped, or the network down.
		if (answers.noneAnswered()) made.remove();
	}
}

async function printChunks(result: Result, flags: FetchFlags, terminal: Terminal): Promise<number> {
	if (result.document === undefined) return tellNoDocument(result, flags, terminal);
	terminal.out(chunkLines(result, await chunkOptions(flags)));
	tellTerms(result, terminal);
	return tellContent(result, flags, terminal);
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
	if (result.document === undefined) return tellNoDocument(result, flags, terminal);
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
		terminal.note('the browser could not render the page; this is its HTML as sent\n');
	if (document === undefined || document.content.markdown.trim() !== '') return exitCodes.ok;
	const stored = document.cache?.body_fetched === false;
	const advice = [
		...((flags.render ?? 'never') === 'never' ? ['--render auto'] : []),
		...(stored && flags.forceRefresh !== true ? ['--force-refresh'] : []),
	];
	const next =
		advice.length === 0 ? '' : `; if its scripts produce the content, render it in a browser: ${advice.join(' ')}`;
	const message =
		document.source.render_mode === 'rendered'
			? 'the page has no content, even when rendered in a browser'
			: `the HTML of the page has no content${next}`;
	// The document itself is on stdout already.
	return tellFailure(terminal, {}, { code: 'no-content', message });
}

/** With `auto` the page is had all the same. */
export function tellMissingBrowser({ render, chromium }: RenderFlags, terminal: Terminal): void {
	if (render === 'auto' && findChromium(chromium) === undefined) terminal.note(`${withoutBrowser}\n`);
}

/** What the site asks of whoever uses the page. */
export function tellTerms(result: Result, terminal: Terminal): void {
	const { obligations = {}, limits = {} } = result.policy ?? {};
	for (const text of [...obligationTexts(obligations), ...limitTexts(limits)])
		terminal.note(`terms of the site: ${oneLine(text)}\n`);
	for (const { text } of result.policy?.licences ?? [])
		terminal.note(`terms of the site: a licence (RSL), which is not read: ${oneLine(text)}\n`);
}

/** Says why there is no document. */
export function tellNoDocument(result: Result, flags: { readonly json?: boolean }, terminal: Terminal): number {
	const { outcome, reason, url, evidence } = result;
	const details = { outcome, url, ...(evidence !== undefined && evidence.length > 0 && { evidence }) };
	const failure = { code: reason ?? outcome, message: explainFailure(result), ...details };
	return tellFailure(terminal, flags, failure);
}

/** Why there is no document: the outcome, the reason, and the line that decided. */
export function explainFailure(result: Result): string {
	const reason = result.reason === undefined ? '' : ` (${result.reason}): ${explainReason(result.reason)}`;
	const detail = result.detail === undefined ? '' : `\n  ${result.detail}`;
	const evidence = (result.evidence ?? []).map((one) => `\n  ${placeOf(one)}  ${one.text.trim()}`);
	return manyLines(`${result.outcome}${reason}\n  ${result.url}${detail}${evidence.join('')}`);
}
