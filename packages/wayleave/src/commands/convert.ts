import type { Result, Sink } from '@wayleave/crawler';
import { declaredUrl, decodeHtml, extract, toAIDocument, toSom } from '@wayleave/extract';
import { sha256 } from '@wayleave/io';
import { Command, Option } from 'commander';
import { type CommandFactory, exitCodes, type Terminal, UsageError } from '../command.ts';
import { type Input, listInputs, readPage } from '../convert/inputs.ts';
import { each } from '../options/numbers.ts';
import { sinkFor } from '../output/destination.ts';
import { quantity } from '../output/quantities.ts';

interface ConvertFlags {
	url?: string;
	manifest?: string;
	format?: 'json' | 'markdown' | 'som';
	out?: string[];
	economics?: boolean;
}

type CountTokens = (text: string) => number;

export const convertCommand: CommandFactory = (terminal, done) =>
	new Command('convert')
		.argument('[FILE...]', 'files or folders')
		.option('--url <URL>', 'the address of the page (one file)')
		.option('--manifest <FILE>', 'lines of "FILE URL", or a JSON object of the same')
		.addOption(new Option('--format <FORMAT>', 'what to print').choices(['json', 'markdown', 'som']))
		.option('--out <PATH>', 'FILE.jsonl, a folder/ for Markdown, or - for stdout (repeatable; default stdout)', each)
		.option('--economics', 'token counts in each document')
		.action(async (files: string[], flags: ConvertFlags) => done(await runConvert(files, flags, terminal)));

async function runConvert(files: readonly string[], flags: ConvertFlags, terminal: Terminal): Promise<number> {
	if (flags.out !== undefined && flags.format !== undefined) {
		throw new UsageError('--format is for stdout; with --out the name decides: FILE.jsonl or a folder/');
	}
	const inputs = listInputs(files, flags, terminal.cwd);
	const countTokens = flags.economics ? (await import('@wayleave/extract/tokens')).countTokens : undefined;
	const sinks = (flags.out ?? []).map((out) => sinkFor(out, terminal, { outcomes: false }));
	for (const sink of sinks) await sink.open(undefined);
	let failed = 0;
	for (const input of inputs) {
		try {
			const { html, url, encoding } = readInput(input);
			if (flags.format === 'som') terminal.out(`${JSON.stringify(toSom(html, url, { sha256 }).som)}\n`);
			else await write(convert(html, url, encoding, countTokens), flags, sinks, inputs.length, terminal);
		} catch (error) {
			failed++;
			terminal.err(`${input.file}: ${(error as Error).message}\n`);
		}
	}
	for (const sink of sinks) await sink.close();
	if (sinks.length > 0 || failed > 0) {
		terminal.err(`${quantity(inputs.length - failed, 'document')} written, ${failed} failed\n`);
	}
	return failed > 0 ? exitCodes.found : exitCodes.ok;
}

/** @throws Error with a sentence that says what is wrong with the file. */
function readInput(input: Input): { html: string; url: string; encoding: string } {
	const bytes = readPage(input.path);
	if (bytes.length === 0) throw new Error('the file is empty');
	const { text, encoding } = decodeHtml(bytes);
	// Text has no NUL: an image or an archive does.
	if (text.slice(0, 1000).includes('\0')) throw new Error('this is no HTML page');
	const url = input.url ?? declaredUrl(text);
	if (url === undefined) throw new Error('the page gives no address of its own: say it with --url or --manifest');
	return { html: text, url, encoding };
}

/** One saved page as a result. Nothing in the document claims that the page was fetched. */
function convert(html: string, url: string, encoding: string, countTokens: CountTokens | undefined): Result {
	const extraction = extract(html, url);
	const cache = { status: 'hit', origin_contacted: false, body_fetched: false } as const;
	const document = toAIDocument(
		extraction,
		{ url, freshnessPolicy: 'cache_first', cache },
		{ sha256, ...(countTokens === undefined ? {} : { countTokens, rawHtml: html }) },
	);
	const page = { ...extraction.page, encoding };
	return { url, outcome: 'fetched', depth: 0, at: new Date().toISOString(), document, page };
}

async function write(
	result: Result,
	flags: ConvertFlags,
	sinks: readonly Sink[],
	count: number,
	terminal: Terminal,
): Promise<void> {
	for (const sink of sinks) await sink.write([result]);
	if (sinks.length > 0) return;
	const document = result.document!;
	if (flags.format === 'markdown') terminal.out(`${document.content.markdown}\n${count > 1 ? '\n' : ''}`);
	else terminal.out(`${JSON.stringify(document, null, count > 1 ? undefined : 2)}\n`);
}
