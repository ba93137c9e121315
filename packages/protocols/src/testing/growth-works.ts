import { checkAIDocument, formatAIDocument, parseAIDocument } from '../aidocument/index.ts';
import { formatLinkHeader, parseDictionary, parseItem, parseLinkHeader, parseList } from '../headers/index.ts';
import { parseRangeLines, parseRanges } from '../jafar/index.ts';
import { parseManifest } from '../pagedigest/index.ts';
import {
	checkUsageRecords,
	type PageSignals,
	type Policies,
	parseContentSignal,
	parseContentUsage,
	parseTdmrep,
	preparePolicies,
	uses,
	type Verdict,
} from '../policy/index.ts';
import { checkRobots, formatRobots, parseRobots } from '../robots/index.ts';
import { checkRobots2, effectivePolicy, formatRobots2, parseRobots2, robots2Draft } from '../robots2/index.ts';
import { checkSom } from '../som/index.ts';

const lines = (n: number, line: string): string =>
	Array.from({ length: n }, (_, at) => line.replaceAll('{i}', String(at))).join('\n');

export interface Files {
	readonly robots?: string;
	readonly robots2?: string;
	readonly tdmrep?: string;
	readonly page?: Omit<PageSignals, 'source'>;
}

export const policiesOf = ({ robots, robots2, tdmrep, page }: Files): Policies => ({
	...(robots !== undefined && { robots: { source: 'https://a.test/robots.txt', file: parseRobots(robots).value } }),
	...(robots2 !== undefined && {
		robots2: { files: [{ source: 'https://a.test/robots2.txt', file: parseRobots2(robots2).value }] },
	}),
	...(tdmrep !== undefined && {
		files: { tdmrep: { source: 'https://a.test/tdm', value: parseTdmrep(tdmrep).value } },
	}),
	...(page && { page: { source: 'https://a.test/b', ...page } }),
});

export const group = (n: number, ...each: string[]) =>
	`User-agent: *\n${each.map((line) => lines(n, line)).join('\n')}\n`;
const headers = (name: string, values: readonly string[]) => ({
	headers: values.map((value) => [name, value] as const),
});

/** Files that say the same, or nearly the same, n times: in one file, in two, in file and page. */
export const repetitions: readonly (readonly [name: string, files: (n: number) => Files])[] = [
	[
		'Content-Signal, no against yes of two files',
		(n) => ({
			robots: group(n, 'Content-Signal: ai-input=no, ai-train=no'),
			robots2: group(n, 'Content-Signal: ai-input=yes, ai-train=yes'),
		}),
	],
	[
		'Content-Signal that differs in unknown keys',
		(n) => ({
			robots: group(n, 'Content-Signal: ai-train=yes, x{i}=yes', 'Content-Signal: ai-train=no, x{i}=yes'),
		}),
	],
	[
		'levels of use=',
		(n) => ({ robots: group(n, 'Content-Signal: use=reference, x{i}=a', 'Content-Signal: use=immediate') }),
	],
	[
		'Content-Usage of one path',
		(n) => ({
			robots: group(n, 'Content-Usage: /b train-ai=n', 'Content-Usage: /b train-ai=y', 'Content-Usage: search=n, x{i}'),
			robots2: group(n, 'Content-Usage: train-ai=y'),
		}),
	],
	['Content-Usage of many paths of one length', (n) => ({ robots: group(n, 'Content-Usage: /b*{i} train-ai=n') })],
	[
		'signals above the first group',
		(n) => ({ robots: `${lines(n, 'Content-Signal: ai-train=no')}\n${group(n, 'Content-Signal: ai-train=yes')}` }),
	],
	[
		'path rules',
		(n) => ({ robots: group(n, 'Disallow: /b', 'Allow: /b'), robots2: group(n, 'Allow: /b', 'Disallow: /b{i}') }),
	],
	['licences', (n) => ({ robots: group(n, 'License: https://a.test/l.xml', 'License: https://a.test/{i}.xml') })],
	[
		'tdmrep rules',
		(n) => ({ tdmrep: JSON.stringify(Array.from({ length: n }, () => ({ location: '/c', 'tdm-reservation': 1 }))) }),
	],
	[
		'groups for one agent',
		(n) => ({ robots: lines(n, 'User-agent: Reader\nDisallow: /{i}\nContent-Signal: ai-train=no') }),
	],
	[
		'agents of one list, and records for them',
		(n) => ({
			robots: `${lines(n, 'User-agent: a{i}')}\nUser-agent: Reader\n${lines(n, 'Content-Signal: ai-train=no')}\n`,
		}),
	],
	['directives', (n) => ({ robots2: `${lines(n, 'train: yes\ntrain: no\nread: ask')}\n` })],
	['sections', (n) => ({ robots2: lines(n, '[agent: ai-assistant]\ntrain: no\n[agent: x{i}]\ntrain: yes') })],
	[
		'categories of one section',
		(n) => ({ robots2: `[agent: ${lines(n, 'x{i}').replaceAll('\n', ', ')}]\n${lines(n, 'train: no')}\n` }),
	],
	[
		'X-Robots-Tag, many and long',
		(n) => ({
			robots: group(n, 'Content-Signal: ai-train=yes'),
			page: headers('x-robots-tag', [...Array.from({ length: n }, (_, at) => `noai, x${at}`), lines(n, 'noai,')]),
		}),
	],
	[
		'Robots-Tag',
		(n) => ({
			page: headers('robots-tag', [
				lines(n, '*;noai').replaceAll('\n', ', '),
				...Array.from({ length: n }, () => 'Reader;noai'),
			]),
		}),
	],
	[
		'Content-Signal headers',
		(n) => ({
			page: headers(
				'content-signal',
				Array.from({ length: n }, (_, at) => `ai-train=${at % 2 ? 'no' : 'yes'}`),
			),
		}),
	],
	[
		'Content-Usage headers',
		(n) => ({
			page: headers(
				'content-usage',
				Array.from({ length: n }, () => 'train-ai=n'),
			),
		}),
	],
	[
		'Link headers',
		(n) => ({
			page: headers(
				'link',
				Array.from({ length: n }, (_, at) => `<${at}>; rel=license; type="application/rsl+xml"`),
			),
		}),
	],
	[
		'meta tags',
		(n) => ({ page: { meta: Array.from({ length: n }, () => ({ name: 'robots', content: 'noai, nosnippet' })) } }),
	],
];

export const reader = { token: 'Reader', categories: ['ai-assistant', 'search-indexer'] };

export const askAll = (files: Files): Verdict[] => {
	const { page, ...host } = policiesOf(files);
	const prepared = preparePolicies(host, reader);
	return uses.map((use) => prepared.decide(use, 'https://a.test/b/12', page ? { page } : {}));
};

const json = (value: unknown) => JSON.stringify(value);
const many = <Item>(n: number, item: (at: number) => Item) => Array.from({ length: n }, (_, at) => item(at));
const robotsFile = (n: number) =>
	parseRobots(group(n, 'Crawl-delay: 1', 'User-agent: a{i}', 'Content-Signal: x')).value;

/** Parsers, checks and formatters, each with its worst input. */
export const works: readonly (readonly [name: string, work: (n: number) => () => void])[] = [
	['parseRobots', (n) => () => void parseRobots(group(n, 'Disallow: /{i} # x', 'nonsense', 'Content-Signal: a'))],
	[
		'parseRobots, octets',
		(n) => () => void parseRobots(Buffer.from(group(n, 'Disallow: /\xe9{i}', 'x y z'), 'latin1')),
	],
	['checkRobots', (n) => () => void checkRobots(group(n, 'Disallow: /{i}', 'Allow: /{i}', 'User-agent: a'))],
	[
		'checkRobots, groups',
		(n) => () =>
			void checkRobots(`${group(n, 'Disallow: /{i}')}${lines(n, 'User-agent: a{i}\nCrawl-delay: 2\nDisallow:')}`),
	],
	[
		'checkRobots, agents',
		(n) => () =>
			void checkRobots(`${group(n, 'Disallow: /{i}')}${lines(n, 'User-agent: a{i}')}\n${lines(n, 'Disallow: /{i}')}\n`),
	],
	[
		'formatRobots',
		(n) => {
			const file = robotsFile(n);
			return () => void formatRobots(file);
		},
	],
	[
		'parseRobots2',
		(n) => () =>
			void parseRobots2(
				`[agent: ${many(n, (at) => `x${at}`).join(', ')}]\n${lines(n, '\ntrain: no\nhonest: x\nDisallow: /x')}`,
			),
	],
	[
		'checkRobots2',
		(n) => () =>
			void checkRobots2(
				`[agent: ${many(n, (at) => `x${at}`).join(', ')}]\n${lines(n, '\ntrain: no\nmarket: a\nquiet: x')}`,
			),
	],
	[
		'formatRobots2',
		(n) => {
			const draft = parseRobots2(
				`[agent: ${many(n, (at) => `x${at}`).join(', ')}]\n${lines(n, 'train: no')}\n${lines(n, '[agent: y]\ntrain: ask')}`,
			).value;
			return () => void formatRobots2(robots2Draft(draft));
		},
	],
	[
		'effectivePolicy',
		(n) => {
			const files = [{ source: 'a', file: parseRobots2(lines(n, '[agent: y]\ntrain: ask')).value }];
			return () => void effectivePolicy(files, { categories: ['y'] });
		},
	],
	[
		'checkUsageRecords',
		(n) => {
			const file = robotsFile(n);
			return () => void checkUsageRecords(file);
		},
	],
	['parseContentSignal', (n) => () => void parseContentSignal('ai-train=no, x=y, use=q,'.repeat(n))],
	['parseContentUsage', (n) => () => void parseContentUsage(many(n, (at) => `x${at}=a`).join(', '))],
	['parseTdmrep', (n) => () => void parseTdmrep(json(many(n, () => ({ location: '/', 'tdm-reservation': 2 }))))],
	['parseLinkHeader', (n) => () => void formatLinkHeader(parseLinkHeader('<a b>; rel="x y"; a=1; b="c",, '.repeat(n)))],
	[
		'parseDictionary',
		(n) => () =>
			void [
				parseDictionary(many(n, (at) => `a${at};b;c=1`).join(', ')),
				parseList('(a b);c, '.repeat(n)),
				parseItem(`"${'\\"'.repeat(n)}"`),
			],
	],
	[
		'parseRanges',
		(n) => () =>
			void parseRanges(json({ prefixes: many(n, (at) => ({ ipv4Prefix: `10.${at >> 8}.${at & 255}.0/24`, x: 1 })) })),
	],
	['parseRangeLines', (n) => () => void parseRangeLines(lines(n, '10.0.0.1/33 x{i}'))],
	[
		'parseManifest',
		(n) => () =>
			void parseManifest(
				json({
					version: 1,
					site_rev: 1,
					entries: Object.fromEntries(many(n, (at) => [`/${at}`, { rev: -1, hash: 'x' }])),
				}),
			),
	],
	[
		'checkSom',
		(n) => {
			const { records } = parseRobots(group(n, 'SOM-Endpoint: x', 'SOM-Format: y', 'SOM-{i}: z')).value;
			return () => void checkSom(records);
		},
	],
	[
		'checkAIDocument',
		(n) => () =>
			void checkAIDocument({ url: 'x', markdown: 'y', ...Object.fromEntries(many(n, (at) => [`k${at}`, [at]])) }),
	],
	[
		'parseAIDocument',
		(n) => () => {
			const { value } = parseAIDocument(
				json({ url: 'https://a.test/', markdown: 'y', links: many(n, (at) => ({ url: at })) }),
			);
			if (value) formatAIDocument(value);
		},
	],
];
