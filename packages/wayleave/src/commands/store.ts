import { Command } from 'commander';
import type { CommandFactory } from '../command.ts';
import { days, each, list } from '../options/numbers.ts';
import { outFormatsText } from '../output/formats.ts';

const work = () => import('../actions/store.ts');

export interface StoreFlags {
	store?: string;
	json?: boolean;
}

export interface ExportFlags extends StoreFlags {
	out?: string[];
	use?: string[];
	category?: string;
	operatorMarket?: string;
	outcomes?: boolean;
}

export interface PruneFlags extends StoreFlags {
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
		done(await (await work()).status(flags, terminal)),
	);
	sub(
		'explain',
		'The story of one URL: found where, decided why, fetched when, next when. Exits 1 when it is not known.',
	)
		.argument('<URL>')
		.action(async (url: string, flags: StoreFlags) => done(await (await work()).explain(url, flags, terminal)));
	sub('export', 'Write the documents to a file, also while a crawl goes on.')
		.option('-o, --out <PATH>', `${outFormatsText('warc')} (repeatable; default -)`, each)
		.option('--use <USES>', 'leave out what may not be put to these uses, and say why: train, …', list)
		.option('--category <CAT>', 'agent category of robots2.txt', 'ai-assistant')
		.option('--operator-market <MARKET>', 'market of the operator, for sites that forbid competing uses')
		.option('--outcomes', 'URLs without a document too')
		.action(async (flags: ExportFlags) => done(await (await work()).runExport(flags, terminal)));
	sub('prune', 'Throw away what is not needed any more, and give the room back. Not while a crawl goes on.')
		.option('--older-than <DAYS>', 'documents of pages that were last seen so long ago; their addresses stay', days)
		.option('--gone', 'pages that are gone, addresses and all')
		.option('--dry-run', 'say what would go, and change nothing')
		.action(async (flags: PruneFlags) => done(await (await work()).prune(flags, terminal)));
	command.addHelpText('after', examples);
	return command;
};

const examples = `
Examples:
  wayleave store status
  wayleave store explain https://docs.example.com/install
  wayleave store export --use train --out training.parquet
  wayleave store prune --gone --older-than 90 --dry-run`;
