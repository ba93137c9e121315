import { fileTypeNames } from '@wayleave/protocols/file-types';
import { Command, Option } from 'commander';
import { chunksOption } from '../../shared/options/chunks.ts';
import { favorOption } from '../../shared/options/favor.ts';
import { fieldsOption } from '../../shared/options/fields-option.ts';
import { each } from '../../shared/options/numbers.ts';
import { documentFormats, isNoArchive, outFormatsText } from '../../shared/output/formats.ts';
import type { CommandFactory } from '../../terminal/command.ts';
import type { ConvertFlags } from './flags.ts';
import { shard } from './shard.ts';
import { tolerance } from './tolerance.ts';

const work = () => import('./run.ts');

export const convertCommand: CommandFactory = (terminal, done) =>
	new Command('convert')
		.argument(
			'[FILE...]',
			`files or folders: HTML pages, ${fileTypeNames()} files, .warc and .wet archives, also with .gz; - is stdin`,
		)
		.option('--url <URL>', 'the URL of the page (for one file)')
		.option('--manifest <FILE>', 'lines of "FILE URL", or a JSON object of the same')
		.option('--files-from <FILE>', 'more files, one a line; - is stdin')
		.addOption(new Option('--format <FORMAT>', 'what to print').choices(documentFormats))
		.option(
			'-o, --out <PATH>',
			`${outFormatsText(isNoArchive)} (repeatable; default stdout); {name} makes a file per input, and skips inputs that are done`,
			each,
		)
		.addOption(favorOption())
		.addOption(chunksOption())
		.addOption(fieldsOption())
		.option('--economics', 'token counts in each document')
		.option('--shard <INDEX/COUNT>', 'do one part of the work, such as 0/16; {shard} names it in --out', shard)
		.addOption(new Option('--shard-by <UNIT>', 'what --shard divides').choices(['archive', 'page']).default('archive'))
		.option('--tolerate <COUNT>', 'exit with 0 if at most so many pages failed: 20, or 0.5% of all', tolerance)
		.option('--summary <FILE>', 'counts for a scheduler: FILE.json, or FILE.prom for Prometheus (repeatable)', each)
		.option('--stdin-name <NAME>', 'the name for stdin in messages, such as page.html')
		.option('--json', 'one document per line, and errors as JSON objects')
		.addHelpText('after', examples)
		.action(async (files: string[], flags: ConvertFlags) =>
			done(await (await work()).runConvert(files, flags, terminal)),
		);

const examples = `
Examples:
  wayleave convert page.html --url https://example.com/page --format markdown
  wayleave convert saved/ --manifest addresses.txt --out pages.jsonl
  wayleave convert CC-MAIN-20260101000000-00000.warc.gz --out documents/
  wayleave convert archives/ --out 'parquet/{name}.parquet' --shard 0/16 --summary run.json
  curl -s https://example.com/ | wayleave convert - --url https://example.com/

Run the same command again after a kill: with {name} it goes on at the first archive that is not done.`;
