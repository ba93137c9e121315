import { chunkLines, type FetchOptions, fetchDocument, hashRoute, type Result } from '@wayleave/crawler';
import { oneLine } from '@wayleave/protocols/text';
import { tellMisspelt } from '../../shared/options/category.ts';
import { chunkOptions } from '../../shared/options/chunks.ts';
import { agentOptions } from '../../shared/options/client.ts';
import { favored } from '../../shared/options/favor.ts';
import { fieldOptions, withFields } from '../../shared/options/fields.ts';
import { NewFiles } from '../../shared/options/new-files.ts';
import { renderOptions } from '../../shared/options/render.ts';
import { readAddress } from '../../shared/options/seeds.ts';
import { filesOfStore, storeUrl } from '../../shared/options/store.ts';
import { watchResponses } from '../../shared/output/tell-requests.ts';
import { waitNotes } from '../../shared/output/wait-notes.ts';
import { tellContent, tellMissingBrowser, tellNoDocument, tellTerms } from '../../shared/page-report.ts';
import { type Terminal, UsageError } from '../../terminal/command.ts';
import type { FetchFlags } from './flags.ts';

export async function runFetch(address: string, flags: FetchFlags, terminal: Terminal): Promise<number> {
	if (flags.format === 'som' && flags.store !== undefined)
		throw new UsageError('--format som compiles the page itself, not a stored copy: omit --store');
	if (flags.json && flags.format === 'markdown')
		throw new UsageError('--json and --format markdown cannot be combined: choose one');
	if (flags.chunks !== undefined && flags.format !== 'json')
		throw new UsageError(`--chunks and --format ${flags.format} cannot be combined: omit --format`);
	if (flags.fields !== undefined && (flags.format !== 'json' || flags.chunks !== undefined))
		throw new UsageError(
			`--fields and ${flags.chunks === undefined ? `--format ${flags.format}` : '--chunks'} cannot be combined: omit one of them`,
		);
	const fields = await fieldOptions(flags, terminal);
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
		...fields,
		economics: flags.economics,
		freshnessPolicy: flags.forceRefresh ? 'force_refresh' : 'cache_first',
		signal: stop.signal,
		onProgress: notes.onProgress,
		...(flags.store === undefined ? {} : { store: storeUrl(flags.store, terminal.cwd) }),
	};
	const made = new NewFiles(flags.store === undefined ? [] : filesOfStore(flags.store, terminal.cwd));
	const responses = watchResponses();
	try {
		if (flags.format === 'som') return await printSom(url, { ...options, economics: false }, flags, terminal);
		const result = await fetchDocument(url, options);
		const chunks = flags.chunks === undefined ? undefined : await chunkOptions(flags);
		const write = (document: Document): string => {
			if (fields.fields !== undefined) return asJson(withFields(result));
			if (chunks !== undefined) return chunkLines(result, chunks);
			return flags.format === 'markdown' ? `${document.content.markdown}\n` : asJson(document);
		};
		return print(result, write, flags, terminal);
	} finally {
		notes.stop();
		ignore();
		responses.stop();
		// The address may be mistyped, or the network down.
		if (responses.hadNoResponse()) made.remove();
	}
}

/** Prints what the fetch brought, or why it brought nothing. */
function print(result: Result, write: (document: Document) => string, flags: FetchFlags, terminal: Terminal): number {
	if (result.document === undefined) return tellNoDocument(result, flags, terminal);
	terminal.out(write(result.document));
	tellTerms(result, terminal);
	return tellContent(result, flags, terminal);
}

type Document = NonNullable<Result['document']>;

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

async function printSom(url: string, options: FetchOptions, flags: FetchFlags, terminal: Terminal): Promise<number> {
	const { fetchSource, somOfSource } = await import('../../shared/compile-som.ts');
	const { result, source } = await fetchSource(url, options);
	const text = source && (await somOfSource(source, {})).text;
	return print(result, (document) => (text === undefined ? asJson(document) : `${text}\n`), flags, terminal);
}
