import type { Preference } from '@wayleave/crawler';
import { Command, Option } from 'commander';
import { withAgentOptions } from '../../shared/options/agent.ts';
import { withAllowHost } from '../../shared/options/allow-host.ts';
import { chunksOption } from '../../shared/options/chunks.ts';
import { favorOption } from '../../shared/options/favor.ts';
import { fieldsOption } from '../../shared/options/fields-option.ts';
import { each, list, port, share, span, stores, wholeNumber } from '../../shared/options/numbers.ts';
import { withRenderOptions } from '../../shared/options/render.ts';
import { rollOption } from '../../shared/options/roll.ts';
import { wordsOf } from '../../shared/options/words.ts';
import { outFormatsText } from '../../shared/output/formats.ts';
import type { CommandFactory } from '../../terminal/command.ts';
import type { CrawlFlags } from './flags.ts';

const work = () => import('./run.ts');

export const crawlCommand: CommandFactory = (terminal, done) => {
	const command = new Command('crawl')
		.argument('[URL...]', 'URLs to start from')
		.option('--seeds <FILE>', 'read start URLs from this file, one per line; - is stdin')
		.option('-o, --out <PATH>', `${outFormatsText()} (repeatable; default ./HOST.jsonl)`, each)
		.addOption(rollOption())
		.option('--warc <FILE>', 'also archive all requests and responses: FILE.warc.gz')
		.option(
			'--store <URL>',
			'where the crawl keeps its state: sqlite:FILE, or postgres://… to share it between processes (default sqlite:./HOST.db); repeat it to divide the hosts among several databases',
			stores,
		)
		.option(
			'--documents <PLACE>',
			'keep documents outside of the database: s3://BUCKET/PREFIX, or file:FOLDER (the store remembers it)',
		)
		.option('--max-pages <N>', 'stop after this many pages in this run', wholeNumber(1))
		.option('--max-depth <N>', 'follow links at most this many steps from the start', wholeNumber(0))
		.addOption(
			new Option('--scope <SCOPE>', 'which links are followed')
				.choices(wordsOf<CrawlFlags['scope']>({ host: true, domain: true, prefix: true }))
				.default('host'),
		)
		.option(
			'--include <PATTERN>',
			'follow only addresses that match, such as /guide/* (as in robots.txt; repeatable)',
			each,
		)
		.option('--exclude <PATTERN>', 'leave out addresses that match, even if --include names them (repeatable)', each)
		.option('--ignore-params <NAMES>', 'query parameters that do not change a page: view,sort* (repeatable)', list)
		.option('--keep-params <NAMES>', 'keep these tracking or session parameters, which are dropped by default', list)
		.option(
			'--concurrency <N>',
			'requests in flight, one per host unless --delay 0 (default 8; more for many hosts)',
			wholeNumber(1),
		)
		.option(
			'--threads <N>',
			'threads that read pages, 0 for none (default: WAYLEAVE_THREADS, else 1, and with four or more processors as many as bring more pages)',
			wholeNumber(0),
		)
		.option('--max-crawl-delay <SECONDS>', 'defer sites whose Crawl-delay is longer (default 120)', wholeNumber(1))
		.option('--retries <N>', 'retries after a temporary failure (default 2)', wholeNumber(0))
		.option('--no-sitemaps', 'follow links only')
		.option('--refresh', 'check every known page again, regardless of the manifest and of where the last run stopped')
		.option(
			'--every <SPAN>',
			'keep crawling at this interval (30m, 6h, 1d); known pages are rechecked when they are likely to have changed',
			span,
		)
		.option('--budget <N>', 'request at most this many pages per host in one run or cycle', wholeNumber(1))
		.option(
			'--audit-rate <SHARE>',
			'share of the pages listed as unchanged in a manifest that are checked anyway (default 0.01)',
			share,
		)
		.option(
			'--on-change <URL>',
			'post a signed notice of each page that is added, changed, gone or moved, or whose terms have changed (repeatable)',
			each,
		)
		.option('--secret-file <FILE>', 'file with the secret that signs notices (default: $WAYLEAVE_CHANGE_SECRET)')
		.option('--history <N>', 'earlier versions of each page to keep in the store (with --on-change: 5)', wholeNumber(1))
		.addOption(
			new Option(
				'--prefer <FORM>',
				'which form of a page to request (default: SOM if robots.txt announces an endpoint, else HTML)',
			).choices(wordsOf<Preference>({ som: true, markdown: true, html: true })),
		)
		.addOption(favorOption())
		.addOption(chunksOption())
		.addOption(fieldsOption())
		.option('--outcomes', 'write a line for URLs that have no document, too')
		.option('--economics', 'token counts in each document')
		.option('--metrics <ADDRESS:PORT>', 'serve /metrics for Prometheus, /status as JSON, and /healthz')
		.option('--ui', 'show the crawl in a browser, on this machine only: the command prints the address')
		.option('--ui-port <PORT>', 'port of that page (default: the port of last time, else a free one)', port)
		.option('--json', 'print one event per line to stdout as JSON, instead of a progress display');
	withAllowHost(command, 'the server of --metrics');
	withRenderOptions(command);
	withAgentOptions(command);
	command.addHelpText('after', examples);
	return command.action(async (urls: string[], flags: CrawlFlags) =>
		done(await (await work()).runCrawl(urls, flags, terminal)),
	);
};

const examples = `
Examples:
  wayleave crawl https://docs.example.com
  wayleave crawl https://example.com/manual/ --scope prefix --out manual/
  wayleave crawl http://127.0.0.1:8080 --delay 0 --concurrency 8
  wayleave crawl https://docs.example.com --every 6h --budget 500
  wayleave crawl https://docs.example.com --every 6h --on-change https://hooks.example.com/pages --secret-file secret
  wayleave crawl https://docs.example.com --ui
  wayleave crawl --seeds sites.txt --concurrency 100    (sites.txt: one URL per line; -> sites.jsonl, sites.db)
  wayleave crawl https://example.com --store postgres://crawler@db.internal/crawl    (the same on each machine)
  wayleave crawl https://example.com --documents s3://archive/example

Run the same command again to resume an interrupted crawl. After a complete one, it looks for changes: in the
manifest of the site (/.well-known/pagedigest.json) if there is one, else page by page.

PDF files, office files and books are read, too, where the package @wayleave/files is installed.`;
