import { CrawlError, openStoreView, type StoreView } from '@wayleave/crawler';
import { Command } from 'commander';
import { type CommandFactory, exitCodes, type Terminal, UsageError } from '../command.ts';
import { usesOf } from '../options/agent.ts';
import { days, each, list } from '../options/numbers.ts';
import { hostFileName, readAddress } from '../options/seeds.ts';
import { onlyStore, storeUrl } from '../options/store.ts';
import { distinctOuts, isArchive, sinkFor } from '../output/destination.ts';
import { oneLine } from '../output/one-line.ts';
import { bytes, quantity } from '../output/quantities.ts';
import { type Exported, exportStore } from '../store/export.ts';
import { statusText } from '../store/status-text.ts';
import { storyText } from '../store/story-text.ts';

interface StoreFlags {
	store?: string;
	json?: boolean;
}

interface ExportFlags extends StoreFlags {
	out?: string[];
	use?: string[];
	category?: string;
	operatorMarket?: string;
	outcomes?: boolean;
}

interface PruneFlags extends StoreFlags {
	olderThan?: number;
	gone?: boolean;
	dryRun?: boolean;
}

export const storeCommand: CommandFactory = (terminal, done) => {
	const command = new Command('store');
	const sub = (name: string, description: string) =>
		command
			.command(name)
			.description(description)
			.option('--store <URL>', 'sqlite:FILE or postgres://… (default: the only .db file of this folder)')
			.option('--json', 'as one JSON object');
	sub('status', 'What it holds, how things ended, and what waits.').action(async (flags: StoreFlags) =>
		done(await withView(flags, terminal, (view) => status(view, flags, terminal))),
	);
	sub(
		'explain',
		'The story of one URL: found where, decided why, fetched when, next when. Exits 1 when it is not known.',
	)
		.argument('<URL>')
		.action(async (url: string, flags: StoreFlags) => done(await explain(url, flags, terminal)));
	sub('export', 'Write the documents to a file, also while a crawl goes on.')
		.option(
			'--out <PATH>',
			'FILE.jsonl, FILE.parquet, a folder/ for Markdown, or - for stdout (repeatable; default -)',
			each,
		)
		.option('--use <USES>', 'leave out what may not be put to these uses, and say why: train, …', list)
		.option('--category <CAT>', 'agent category of robots2.txt', 'ai-assistant')
		.option('--operator-market <MARKET>', 'market of the operator, for sites that forbid competing uses')
		.option('--outcomes', 'URLs without a document too')
		.action(async (flags: ExportFlags) =>
			done(await withView(flags, terminal, (view) => runExport(view, flags, terminal))),
		);
	sub('prune', 'Throw away what is not needed any more, and give the room back. Not while a crawl goes on.')
		.option('--older-than <DAYS>', 'documents of pages that were last seen so long ago; their addresses stay', days)
		.option('--gone', 'pages that are gone, addresses and all')
		.option('--dry-run', 'say what would go, and change nothing')
		.action(async (flags: PruneFlags) => done(await withView(flags, terminal, (view) => prune(view, flags, terminal))));
	command.addHelpText('after', examples);
	return command;
};

const examples = `
Examples:
  wayleave store status
  wayleave store explain https://docs.example.com/install
  wayleave store export --use train --out training.parquet
  wayleave store prune --gone --older-than 90 --dry-run`;

async function withView(
	flags: StoreFlags,
	terminal: Terminal,
	work: (view: StoreView) => Promise<number>,
	named = flags.store ?? onlyStore(terminal.cwd),
): Promise<number> {
	const view = await openStoreView(storeUrl(named, terminal.cwd)).catch((error: unknown) => {
		throw error instanceof CrawlError ? new UsageError(error.message) : error;
	});
	try {
		return await work(view);
	} finally {
		await view.close();
	}
}

async function status(view: StoreView, { json }: StoreFlags, terminal: Terminal): Promise<number> {
	const found = await view.status();
	terminal.out(json ? `${JSON.stringify(found)}\n` : statusText(found));
	return exitCodes.ok;
}

async function explain(text: string, flags: StoreFlags, terminal: Terminal): Promise<number> {
	const url = readAddress(text);
	const named = flags.store ?? `sqlite:./${hostFileName(url)}.db`;
	const work = async (view: StoreView) => {
		const story = await view.explain(url);
		if (story === undefined) terminal.err(`${url} has never been seen\n`);
		else terminal.out(flags.json ? `${JSON.stringify(story)}\n` : storyText(story));
		return story === undefined ? exitCodes.found : exitCodes.ok;
	};
	return withView(flags, terminal, work, named);
}

async function runExport(view: StoreView, flags: ExportFlags, terminal: Terminal): Promise<number> {
	const outs = distinctOuts(flags.out ?? ['-'], terminal.cwd);
	if (flags.json && outs.includes('-')) throw new UsageError('--json and --out - both want stdout: choose one');
	if (outs.some(isArchive)) throw new UsageError('a store has documents, not the answers that an archive is made of');
	const outcomes = flags.outcomes === true;
	const sinks = outs.map((out) => sinkFor(out, terminal, { outcomes }));
	const exported = await exportStore(view, sinks, {
		outcomes,
		...(flags.use && { uses: usesOf(flags.use) }),
		...(flags.category && { category: flags.category }),
		...(flags.operatorMarket && { operatorMarket: flags.operatorMarket }),
	});
	if (flags.json) terminal.out(`${JSON.stringify(exported)}\n`);
	else terminal.err(exportText(exported));
	return exported.documents > 0 ? exitCodes.ok : exitCodes.found;
}

function exportText({ documents, outcomes, leftOut }: Exported): string {
	const written = [quantity(documents, 'document'), ...(outcomes > 0 ? [quantity(outcomes, 'other outcome')] : [])];
	const lines = leftOut.flatMap(({ use, why, evidence, count, example }) => [
		`${quantity(count, 'page')} left out, such as ${example}:`,
		...(why === 'not-asked'
			? [`  the crawl did not ask for ${use}; crawl with --use ${use}`]
			: why === 'spent'
				? ['  the site has allowed one use, which the visit was; crawl with --out to have what it brings']
				: evidence
						.slice(0, 1)
						.map(({ source, line, text }) => `  ${line > 0 ? `${source}:${line}` : source}  ${text.trim()}`)),
	]);
	return `${[`${written.join(' and ')} written`, ...lines].map(oneLine).join('\n')}\n`;
}

async function prune(view: StoreView, flags: PruneFlags, terminal: Terminal): Promise<number> {
	if (flags.olderThan === undefined && !flags.gone) throw new UsageError('say what goes: --older-than DAYS, --gone');
	const dryRun = flags.dryRun === true;
	const pruned = await view.prune({
		dryRun,
		gone: flags.gone === true,
		...(flags.olderThan !== undefined && { before: Date.now() - flags.olderThan }),
	});
	const what = `${quantity(pruned.documents, 'document')} (${bytes(pruned.bytes)}) and ${quantity(pruned.gone, 'address', 'addresses')}`;
	terminal.out(flags.json ? `${JSON.stringify(pruned)}\n` : `${what} ${dryRun ? 'would go' : 'are gone'}\n`);
	return exitCodes.ok;
}
