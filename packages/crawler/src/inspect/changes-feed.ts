import { sha256 } from '@wayleave/io/hash';
import { quantity } from '@wayleave/protocols/text';
import type { DocumentDiff } from '../diff/block-diff.ts';
import type { PageChange, PageChangeKind } from '../model/page-change.ts';
import type { StoreReader } from '../store/roles/reader.ts';
import type { LoggedChange } from '../store/roles/watch.ts';

/** Seeds that name a feed. */
const seedRows = 1000;
/** Characters of the difference that an entry shows. */
const maxText = 4000;

const titles: Readonly<Record<PageChangeKind, string>> = {
	added: 'added',
	changed: 'changed',
	gone: 'gone',
	moved: 'moved',
	terms: 'terms changed',
};

/**
 * The latest changes of a watched crawl as an Atom feed (RFC 4287). Ids of entries are those of the notices, and stay.
 *
 * @param limit entries at most
 */
export async function changesFeed(store: StoreReader, limit: number): Promise<string> {
	const changes = (await store.watch?.log({ limit })) ?? [];
	const { urls } = await store.frontier.list({ after: 0, rows: seedRows, limit: seedRows });
	const seeds = urls.flatMap(({ url, seed }) => (seed ? [url] : [])).sort();
	const run = await store.frontier.lastRun();
	const updated = changes[0]?.at ?? run?.startedAt ?? 0;
	const name = seeds.length === 0 ? 'a crawl' : seeds.slice(0, 3).join(', ');
	return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${uuidOf(seeds.join('\n'))}</id>
<title>Changes of ${escaped(name)}</title>
<updated>${timeOf(updated)}</updated>
<author><name>Wayleave</name></author>
<generator uri="https://github.com/wayleave/wayleave">Wayleave</generator>
${changes
	.filter(({ held }) => !held)
	.map(entryOf)
	.join('')}</feed>
`;
}

function entryOf({ id, at, kind, url, change }: LoggedChange): string {
	const title = change.title ? `${change.title}: ${titles[kind]}` : `${titles[kind]}: ${url}`;
	return `<entry>
<id>${idOf(id)}</id>
<title>${escaped(title)}</title>
<updated>${timeOf(at)}</updated>
<link rel="alternate" href="${escaped(change.movedTo ?? url)}"/>
<category term="${kind}"/>
<content type="text">${escaped(textOf(change))}</content>
</entry>
`;
}

function textOf(change: PageChange): string {
	const { kind, url, movedTo, reason, diff, withheld, terms } = change;
	const what = {
		added: 'The page is new.',
		changed: 'The page has changed.',
		gone:
			movedTo === undefined ? `The page is gone (${reason}).` : `The page is gone: its address leads to ${movedTo}.`,
		moved: `The page has moved to ${movedTo}.`,
		terms: 'The terms of the page have changed.',
	}[kind];
	const lines = terms === undefined ? diff && differenceLines(diff) : ['', ...termLines(terms)];
	return [url, what, ...(withheld === undefined ? [] : [`${withheld}.`]), ...(lines ?? [])].join('\n');
}

/** The terms that differ, one in a line that begins with `-` or `+`. */
export function termLines({ before, after }: NonNullable<PageChange['terms']>): string[] {
	const [old, next] = [statedIn(before), statedIn(after)];
	return [
		...old.filter((line) => !next.includes(line)).map((line) => `- ${line}`),
		...next.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
	];
}

/** `uses ai-train: no` */
function statedIn(value: unknown, name = ''): string[] {
	if (typeof value !== 'object' || value === null) return [`${name}: ${value}`];
	const isList = Array.isArray(value);
	return Object.entries(value).flatMap(([key, own]) => statedIn(own, isList ? name : `${name} ${key}`.trim()));
}

/** A difference for people, cut where it is long: an empty line, then lines that begin with `-`, `+` or `>` (moved). */
export function differenceLines({ steps }: DocumentDiff): string[] {
	const lines = steps.flatMap((step) => {
		if (step.op === 'keep') return [];
		if (step.op === 'move') return [`> moved: ${step.heading ?? quantity(step.count, 'block')}`];
		return changedLines('old' in step ? step.old : [], 'blocks' in step ? step.blocks : []);
	});
	const text = lines.join('\n');
	return text === '' ? [] : ['', text.length > maxText ? `${text.slice(0, maxText)}…` : text];
}

/** Without the lines that both begin or end with: of a table the rows that differ. */
function changedLines(old: readonly string[], blocks: readonly string[]): string[] {
	const [before, after] = [old, blocks].map((all) => all.flatMap((block) => block.split('\n'))) as [string[], string[]];
	const shorter = Math.min(before.length, after.length);
	let [from, behind] = [0, 0];
	while (from < shorter && before[from] === after[from]) from++;
	while (behind < shorter - from && before.at(-1 - behind) === after.at(-1 - behind)) behind++;
	const marked = (mark: string, lines: string[]) =>
		lines.slice(from, lines.length - behind).map((line) => `${mark} ${line}`);
	return [...marked('-', before), ...marked('+', after)];
}

const timeOf = (at: number): string => new Date(at).toISOString();

const asUrn = (digits: string): string =>
	`urn:uuid:${[0, 8, 12, 16, 20].map((from, at) => digits.slice(from, [8, 12, 16, 20, 32][at])).join('-')}`;
const idOf = (notice: string): string => asUrn(notice.replace('msg_', ''));
/** The same id for the same seeds, wherever the store is. */
const uuidOf = (text: string): string =>
	asUrn(
		Buffer.from(sha256(Buffer.from(text)))
			.toString('hex')
			.slice(0, 32),
	);

/** Without characters that XML 1.0 does not have. */
function escaped(text: string): string {
	return text
		.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');
}
