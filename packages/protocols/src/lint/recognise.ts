import { readOwnForm } from '../jafar/index.ts';
import { type FileVocabularyName, fileVocabularies, groupRecordKeys } from '../policy/index.ts';
import type { FormatName } from './format-names.ts';

const files = fileVocabularies.map(({ name, file }) => [name as FileVocabularyName, file] as const);
const vocabularyTitles = Object.fromEntries(files.map(([name, { title }]) => [name, title])) as Readonly<
	Record<FileVocabularyName, string>
>;
/** By the last part of the path, in lower case. */
const vocabularyNames = Object.fromEntries(
	files.map(([name, { path }]) => [path.slice(path.lastIndexOf('/') + 1).toLowerCase(), name]),
);

/** What each format is called in a sentence. */
export const formatTitles = {
	robots: 'robots.txt',
	robots2: 'robots2.txt',
	pagedigest: 'a pagedigest manifest',
	ranges: 'a list of IP ranges',
	'range-lines': 'a list of IP ranges in lines',
	aidocument: 'an AIDocument',
	'aidocument-lines': 'AIDocuments in lines',
	som: 'a SOM document',
	...vocabularyTitles,
	policy: 'a policy file',
} as const satisfies Readonly<Record<FormatName, string>>;

/** Tells the format of a file by its name, else by what stands in it; undefined when neither tells. */
export function recognise(name: string, text: string): FormatName | undefined {
	const file = name
		.replace(/[?#].*$/, '')
		.replace(/^.*[\\/]/, '')
		.toLowerCase();
	return names[file] ?? (file.endsWith('.jsonl') ? 'aidocument-lines' : recogniseContent(text));
}

/** Whether the name of a file alone says what it is. */
export const isKnownName = (name: string): boolean => Object.hasOwn(names, name.toLowerCase());

const names: Readonly<Record<string, FormatName>> = {
	'robots.txt': 'robots',
	'robots2.txt': 'robots2',
	'pagedigest.json': 'pagedigest',
	'ip-ranges.json': 'ranges',
	...vocabularyNames,
	'wayleave.config.yaml': 'policy',
	'wayleave.config.yml': 'policy',
	'wayleave.config.json': 'policy',
};

function recogniseContent(text: string): FormatName | undefined {
	const start = /^[\ufeff\s]*([[{])/.exec(text)?.[1];
	if (start === undefined) return recogniseLines(text);
	// A list in an operator's own format has no typical key: most of its entries are ranges.
	return recogniseKeys(topLevelKeys(text)) ?? (readOwnForm(text) === undefined ? undefined : 'ranges');
}

/** The keys at the top, or, where the text is broken, all that look like keys. */
function topLevelKeys(text: string): ReadonlySet<string> {
	try {
		const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
		const first: unknown = Array.isArray(value) ? value[0] : value;
		return new Set(typeof first === 'object' && first !== null ? Object.keys(first) : []);
	} catch {
		return new Set(Array.from(text.slice(0, 65_536).matchAll(/"([\w-]{1,40})"\s*:/g), ([, key = '']) => key));
	}
}

/** Any one of the keys of a row will do. The order matters only for broken texts. */
const telling: readonly (readonly [FormatName, readonly string[]])[] = [
	['som', ['som_version']],
	['pagedigest', ['pagedigest', 'site_rev']],
	['ranges', ['prefixes', 'formatVersion', 'synctoken', 'syncToken', 'ipv4Prefix']],
	...files.map(([name, { keys }]) => [name, keys] as const),
	['aidocument', ['schema', 'markdown', 'freshness_policy']],
];

function recogniseKeys(keys: ReadonlySet<string>): FormatName | undefined {
	return telling.find(([, names]) => names.some((name) => keys.has(name)))?.[0];
}

/** A line that only a robots2.txt has: an agent section or one of its directives. */
const robots2Line =
	/^[ \t]*(?:\[agent:|(?:crawl|read|summari[sz]e|quote|derivative|train|store|compete|personali[sz]e|moneti[sz]e|attribution|report-to|chain)[ \t]*:)/im;
const robotsLine = new RegExp(
	`^[ \\t\\ufeff]*(?:user-?agent|disallow|allow|sitemap|crawl-delay|som-endpoint|${groupRecordKeys.join('|')})[ \\t]*:`,
	'im',
);
const rangeLine = /^[\da-f.:]+(?:\/\d{1,3})?(?:\s.*)?$/i;

function recogniseLines(text: string): FormatName | undefined {
	if (robots2Line.test(text)) return 'robots2';
	if (robotsLine.test(text)) return 'robots';
	const first = text.split(/\r\n?|\n/).find((line) => /^[^#\s]/.test(line));
	return first !== undefined && /[.:].*\d/.test(first) && rangeLine.test(first.trim()) ? 'range-lines' : undefined;
}
