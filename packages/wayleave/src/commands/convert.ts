import { Command, Option } from 'commander';
import type { CommandFactory } from '../command.ts';
import { type ChunkFlags, chunksOption } from '../options/chunks.ts';
import { type FavorFlags, favorOption } from '../options/favor.ts';
import { each } from '../options/numbers.ts';
import { type DocumentFormat, documentFormats, outFormatsText } from '../output/formats.ts';

const work = () => import('../actions/convert.ts');

export interface ConvertFlags extends FavorFlags, ChunkFlags {
	url?: string;
	manifest?: string;
	format?: DocumentFormat;
	out?: string[];
	economics?: boolean;
	stdinName?: string;
	json?: boolean;
}

export const convertCommand: CommandFactory = (terminal, done) =>
	new Command('convert')
		.argument('[FILE...]', 'files or folders: .html, .warc, .wet, also with .gz; - is stdin')
		.option('--url <URL>', 'the URL of the page (for one file)')
		.option('--manifest <FILE>', 'lines of "FILE URL", or a JSON object of the same')
		.addOption(new Option('--format <FORMAT>', 'what to print').choices(documentFormats))
		.option('-o, --out <PATH>', `${outFormatsText('warc')} (repeatable; default stdout)`, each)
		.addOption(favorOption())
		.addOption(chunksOption())
		.option('--economics', 'token counts in each document')
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
  curl -s https://example.com/ | wayleave convert - --url https://example.com/`;
