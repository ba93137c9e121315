import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { declaredUrl, decodeHtml } from '@wayleave/extract';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type CommandFactory, exitCodes, type Terminal, UsageError } from '../command.ts';
import { readPage } from '../convert/inputs.ts';
import { type AgentFlags, agentOptions, withAgentOptions } from '../options/agent.ts';
import { wholeNumber } from '../options/numbers.ts';
import { readAddress } from '../options/seeds.ts';
import { type Compiled, compilePage, fetchSource, type SomFlags, somOfSource } from '../som/som-of.ts';
import { explainFailure, tellTerms } from './fetch.ts';

type Flags = SomFlags & AgentFlags & { readonly url?: string };

export const somCommand: CommandFactory = (terminal, done) => {
	const command = new Command('som')
		.argument('<FILE|URL>', 'a saved page (.html, .html.gz), or one to fetch on the terms of its site')
		.option('--url <URL>', 'the address of a saved page (default: the one that it gives itself)')
		.addOption(
			new Option('--scope <SCOPE>', 'how much of the page')
				.choices(['full-page', 'main-content', 'article-body'])
				.default('full-page'),
		)
		.addOption(
			new Option('--format <FORMAT>', 'what to print')
				.choices(['SOM/1.0', 'markdown', 'accessibility-tree'])
				.default('SOM/1.0'),
		)
		.option('--budget <N>', 'at most N tokens; none: everything, without the limits of the specification', budget);
	withAgentOptions(command);
	return command.action(async (target: string, flags: Flags) => done(await runSom(target, flags, terminal)));
};

function budget(text: string): number | 'none' {
	if (text === 'none') return text;
	try {
		return wholeNumber(1)(text);
	} catch {
		throw new InvalidArgumentError('a number of tokens, or none');
	}
}

async function runSom(target: string, flags: Flags, terminal: Terminal): Promise<number> {
	const path = resolve(terminal.cwd, target);
	if (statSync(path, { throwIfNoEntry: false })?.isFile()) return print(compileFile(path, flags), terminal);
	const url = readAddress(target);
	const stop = new AbortController();
	const ignore = terminal.onInterrupt(() => stop.abort());
	try {
		const { result, source } = await fetchSource(url, {
			...agentOptions(flags, [url], terminal.cwd),
			signal: stop.signal,
		});
		if (source === undefined) {
			terminal.err(`${explainFailure(result)}\n`);
			return exitCodes.found;
		}
		tellTerms(result, terminal);
		return print(await somOfSource(source, flags), terminal);
	} finally {
		ignore();
	}
}

function compileFile(path: string, flags: Flags): Compiled {
	const { text } = decodeHtml(readPage(path));
	const url = flags.url === undefined ? declaredUrl(text) : readAddress(flags.url);
	if (url === undefined) throw new UsageError('the page gives no address of its own: say it with --url');
	return compilePage(text, url, flags);
}

function print({ text, remarks }: Compiled, terminal: Terminal): number {
	terminal.out(`${text}\n`);
	for (const remark of remarks) terminal.err(`${remark}\n`);
	return exitCodes.ok;
}
