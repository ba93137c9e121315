import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { declaredUrl } from '@wayleave/extract';
import { FileError } from '@wayleave/io/messages';
import { type Compiled, compilePage, fetchSource, somOfSource } from '../../shared/compile-som.ts';
import { tellMisspelt } from '../../shared/options/category.ts';
import { agentOptions } from '../../shared/options/client.ts';
import { renderOptions } from '../../shared/options/render.ts';
import { readAddress } from '../../shared/options/seeds.ts';
import { waitNotes } from '../../shared/output/wait-notes.ts';
import { type Input, readHtml } from '../../shared/page-files.ts';
import { tellContent, tellMissingBrowser, tellNoDocument, tellTerms } from '../../shared/page-report.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import type { SomCommandFlags } from './flags.ts';

export async function runSom(target: string, flags: SomCommandFlags, terminal: Terminal): Promise<number> {
	if (flags.json && flags.format === 'markdown')
		throw new UsageError('--json and --format markdown cannot be combined: choose one');
	const input = savedPage(target, flags, terminal);
	if (input !== undefined) return print(compileFile(input, flags), terminal);
	const url = addressOf(target);
	tellMisspelt([flags.category], terminal);
	tellMissingBrowser(flags, terminal);
	const stop = new AbortController();
	const notes = waitNotes(terminal, {});
	const ignore = terminal.onInterrupt(() => stop.abort());
	try {
		const { result, source } = await fetchSource(url, {
			...(await agentOptions(flags, [url], terminal)),
			...renderOptions(flags),
			signal: stop.signal,
			onProgress: notes.onProgress,
		});
		if (source === undefined) {
			return tellNoDocument(result, flags, terminal);
		}
		tellTerms(result, terminal);
		print(await somOfSource(source, flags), terminal);
		return tellContent(result, flags, terminal);
	} finally {
		notes.stop();
		ignore();
	}
}

/** A target that is a file, or looks like the name of one; undefined for an address. @throws FileError */
function savedPage(target: string, { stdinName }: SomCommandFlags, terminal: Terminal): Input | undefined {
	const path = resolve(terminal.cwd, target);
	if (target === '-') return { file: stdinName ?? target, path, bytes: terminal.stdin() };
	if (/^https?:\/\//i.test(target)) return undefined;
	const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
	return isThere || looksLikeFile(target) ? { file: target, path } : undefined;
}

/** `page.html`, `./saved/page`, `C:\\page.htm`: these are never hosts. */
const looksLikeFile = (target: string): boolean =>
	/\.(?:x?html?|mht|warc)(?:\.gz)?$/i.test(target) || /^(?:\.{0,2}[/\\]|[a-z]:\\)/i.test(target);

function addressOf(target: string): string {
	try {
		return readAddress(target);
	} catch (error) {
		if (error instanceof UsageError)
			throw new UsageError(`${error.message}; no file has that name either`, { code: error.code });
		throw error;
	}
}

function compileFile(input: Input, flags: SomCommandFlags): Compiled {
	const text = textIn(input);
	const url = flags.url === undefined ? declaredUrl(text) : readAddress(flags.url);
	if (url === undefined) throw new UsageError('the page does not state its URL: pass it with --url');
	return compilePage(text, url, flags);
}

function textIn(input: Input): string {
	try {
		return readHtml(input).text;
	} catch (error) {
		throw error instanceof FileError ? error : new Error(`${input.file}: ${(error as Error).message}`);
	}
}

function print({ text, remarks }: Compiled, terminal: Terminal): number {
	terminal.out(`${text}\n`);
	for (const remark of remarks) terminal.note(`${remark}\n`);
	return exitCodes.ok;
}
