import { Command, Option } from 'commander';
import { chunksOption } from '../../shared/options/chunks.ts';
import { fieldsOption } from '../../shared/options/fields-option.ts';
import { days, each, list, port, span, stores, wholeNumber } from '../../shared/options/numbers.ts';
import { rollOption } from '../../shared/options/roll.ts';
import { isNoArchive, outFormatsText } from '../../shared/output/formats.ts';
import type { CommandFactory } from '../../terminal/command.ts';
import type {
	DiffFlags,
	ExportFlags,
	FeedFlags,
	ForgetFlags,
	NoticeFlags,
	PruneFlags,
	StoreFlags,
	StoreUiFlags,
} from './flags.ts';
import { diffFormats } from './flags.ts';

const work = () => import('./run.ts');

const storeHelp =
	'sqlite:FILE or postgres://…, repeated for several databases (default: the only .db file of this folder)';

export const storeCommand: CommandFactory = (terminal, done) => {
	const command = new Command('store');
	const sub = (name: string, description: string) =>
		command
			.command(name)
			.description(description)
			.option('--store <URL>', storeHelp, stores)
			.option('--json', 'as one JSON object');
	sub('status', 'Show how many pages the store holds, how they ended, and how many wait.').action(
		async (flags: StoreFlags) => done(await (await work()).status(flags, terminal)),
	);
	sub('explain', 'Show the history of one URL: where it was found, what was decided and why, when it was fetched.')
		.argument('<URL>')
		.action(async (url: string, flags: StoreFlags) => done(await (await work()).explain(url, flags, terminal)));
	sub(
		'aliases',
		'Show which addresses are aliases of pages, and what the crawl has learned of parameters and endless spaces.',
	).action(async (flags: StoreFlags) => done(await (await work()).aliases(flags, terminal)));
	sub('diff', 'Show how the document of a page differs from an earlier version, block by block.')
		.argument('<URL>')
		.option('--since <DATE|VERSION>', 'compare with the version of that date or number (default: the one before)')
		.addOption(new Option('--format <FORMAT>', 'form of the difference (default: text)').choices([...diffFormats]))
		.action(async (url: string, flags: DiffFlags) => done(await (await work()).diff(url, flags, terminal)));
	sub('notices', 'Show the notices of --on-change: how many each receiver has taken, which wait, which it rejects.')
		.option('--retry', 'let the next crawl send rejected notices again, also to stopped receivers; not while one runs')
		.action(async (flags: NoticeFlags) => done(await (await work()).notices(flags, terminal)));
	command
		.command('feed')
		.description('Write the latest changes of a watched crawl as an Atom feed.')
		.option('--store <URL>', 'sqlite:FILE or postgres://… (default: the only .db file of this folder)')
		.option('-o, --out <FILE>', 'write to this file (default -)')
		.option('--limit <N>', 'entries at most (default 100)', wholeNumber(1))
		.action(async (flags: FeedFlags) => done(await (await work()).feed(flags, terminal)));
	sub('export', 'Write the documents to a file; works while a crawl is running.')
		.option('-o, --out <PATH>', `${outFormatsText(isNoArchive)} (repeatable; default -)`, each)
		.addOption(rollOption())
		.option(
			'--use <USES>',
			'export only documents that may be put to these uses (train, …), and say why others are left out',
			list,
		)
		.option('--category <CAT>', 'agent category of robots2.txt', 'ai-assistant')
		.option('--operator-market <MARKET>', 'your market, for sites that forbid competing uses')
		.option('--outcomes', 'include URLs that have no document')
		.addOption(chunksOption())
		.addOption(fieldsOption())
		.action(async (flags: ExportFlags) => done(await (await work()).runExport(flags, terminal)));
	command
		.command('ui')
		.description('Show the store in a browser: URLs and why they were fetched or not, documents, changes, search.')
		.option('--store <URL>', storeHelp, stores)
		.option('--port <PORT>', 'port of the page (default: the port of last time, else a free one)', port)
		.action(async (flags: StoreUiFlags) => done(await (await work()).runStoreUi(flags, terminal)));
	sub('prune', 'Delete what is no longer needed and free the space; not while a crawl is running.')
		.option(
			'--older-than <DAYS>',
			'delete documents of pages last seen this long ago, and earlier versions read before; their URLs stay',
			days,
		)
		.option('--gone', 'delete pages that are gone, with their URLs')
		.option('--objects', 'delete documents in object storage that no page names any more')
		.option('--grace <SPAN>', 'leave such objects alone for this long after they were written (default 1d)', span)
		.option('--dry-run', 'show what would be deleted, and change nothing')
		.action(async (flags: PruneFlags) => done(await (await work()).prune(flags, terminal)));
	sub('forget', 'Remove a page or a host from the store, and never fetch it again; not while a crawl is running.')
		.argument('<URL|HOST>', 'one address (https://…), or a host name for all of its pages')
		.option('--undo', 'allow it to be fetched again')
		.action(async (what: string, flags: ForgetFlags) => done(await (await work()).forget(what, flags, terminal)));
	command.addHelpText('after', examples);
	return command;
};

const examples = `
Examples:
  wayleave store status
  wayleave store explain https://docs.example.com/install
  wayleave store diff https://docs.example.com/install --since 2026-11-01
  wayleave store notices
  wayleave store feed --out changes.atom
  wayleave store aliases
  wayleave store ui
  wayleave store export --use train --out training.parquet
  wayleave store prune --gone --older-than 90 --dry-run
  wayleave store forget https://docs.example.com/install`;
