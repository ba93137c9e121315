import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { declaredUrl } from '@wayleave/extract';
import { exitCodes, type Terminal, UsageError } from '../command.ts';
import type { SomCommandFlags } from '../commands/som.ts';
import { readHtml } from '../convert/inputs.ts';
import { agentOptions } from '../options/agent.ts';
import { tellMisspelt } from '../options/category.ts';
import { renderOptions } from '../options/render.ts';
import { readAddress } from '../options/seeds.ts';
import { type Compiled, compilePage, fetchSource, somOfSource } from '../som/som-of.ts';
import { explainFailure, tellContent, tellMissingBrowser, tellTerms } from './fetch.ts';

export async function runSom(target: string, flags: SomCommandFlags, terminal: Terminal): Promise<number> {
	const path = resolve(terminal.cwd, target);
	if (statSync(path, { throwIfNoEntry: false })?.isFile()) return print(compileFile(target, path, flags), terminal);
	const url = readAddress(target);
	tellMisspelt([flags.category], terminal);
	tellMissingBrowser(flags, terminal);
	const stop = new AbortController();
	const ignore = terminal.onInterrupt(() => stop.abort());
	try {
		const { result, source } = await fetchSource(url, {
			...agentOptions(flags, [url], terminal.cwd),
			...renderOptions(flags),
			signal: stop.signal,
		});
		if (source === undefined) {
			terminal.err(`${explainFailure(result)}\n`);
			return exitCodes.found;
		}
		tellTerms(result, terminal);
		print(await somOfSource(source, flags), terminal);
		return tellContent(result, flags, terminal);
	} finally {
		ignore();
	}
}

function compileFile(name: string, path: string, flags: SomCommandFlags): Compiled {
	const text = readNamed(name, path);
	const url = flags.url === undefined ? declaredUrl(text) : readAddress(flags.url);
	if (url === undefined) throw new UsageError('the page gives no address of its own: say it with --url');
	return compilePage(text, url, flags);
}

function readNamed(name: string, path: string): string {
	try {
		return readHtml(path).text;
	} catch (error) {
		throw new Error(`${name}: ${(error as Error).message}`);
	}
}

function print({ text, remarks }: Compiled, terminal: Terminal): number {
	terminal.out(`${text}\n`);
	for (const remark of remarks) terminal.err(`${remark}\n`);
	return exitCodes.ok;
}
