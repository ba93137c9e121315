import type { ComponentChildren } from 'preact';
import { Badge, type Column, cut, moment, queryWith, Table } from '../ui/index.ts';
import type { CountedEnding, ShownUrl } from './data.ts';
import { outcomeOf, sentence } from './words.ts';

/** The address of a view; filters of another view do not come along. */
export const viewAddress = (changes: Readonly<Record<string, string | undefined>>): string =>
	queryWith(changes, new URLSearchParams());

/** The view with the history of a URL. */
export const historyAddress = (url: string): string => viewAddress({ view: 'url', url });

/** A URL, linked to its history. */
export function UrlLink({ url, length = 120 }: { url: string; length?: number }) {
	return (
		<a class="url" href={historyAddress(url)} title={url.length > length ? url : undefined}>
			{cut(url, length)}
		</a>
	);
}

export function Outcome({ of }: { of: string | undefined }) {
	const { title, tone } = outcomeOf(of);
	return <Badge tone={tone}>{title}</Badge>;
}

/** When something was; the exact time is in the title. */
export function When({ at }: { at: string | number | undefined }) {
	if (at === undefined) return <>–</>;
	const time = new Date(at);
	return (
		<time dateTime={time.toISOString()} title={time.toISOString()} class="nowrap">
			{moment(time.getTime())}
		</time>
	);
}

const urlColumns: readonly Column<ShownUrl>[] = [
	{ title: 'URL', value: ({ url }) => url, cell: ({ url }) => <UrlLink url={url} /> },
	{ title: 'Outcome', value: ({ outcome }) => outcome ?? 'waiting', cell: ({ outcome }) => <Outcome of={outcome} /> },
	{ title: 'Reason', isBlock: true, value: ({ why = '' }) => sentence(why) },
	{ title: 'Status', isNumber: true, value: ({ status }) => status ?? '' },
	{ title: 'Ended', value: ({ at }) => at ?? '', cell: ({ at }) => <When at={at} /> },
];

export function UrlTable({ caption, urls, empty }: { caption: string; urls: readonly ShownUrl[]; empty: string }) {
	const key = ({ url, kind }: ShownUrl) => `${kind} ${url}`;
	return <Table caption={caption} columns={urlColumns} rows={urls} rowKey={key} empty={empty} pageSize={100} />;
}

const endingColumns: readonly Column<CountedEnding>[] = [
	{
		title: 'Reason',
		value: ({ reason, outcome }) => reason ?? outcome ?? 'waiting',
		cell: ({ outcome, reason, why }) => (
			<a href={viewAddress({ view: 'urls', outcome: outcome ?? 'waiting', reason })}>
				{sentence(why ?? outcomeOf(outcome).about)}
			</a>
		),
	},
	{ title: 'Outcome', value: ({ outcome }) => outcome ?? 'waiting', cell: ({ outcome }) => <Outcome of={outcome} /> },
	{ title: 'URLs', isNumber: true, value: ({ count }) => count },
	{
		title: 'Latest',
		isBlock: true,
		value: ({ example }) => example ?? '',
		cell: ({ example }) =>
			example === undefined ? '–' : /^https?:/.test(example) ? <UrlLink url={example} length={60} /> : example,
	},
];

/** Outcomes by reason, each a link to its URLs. */
export function EndingTable({ caption, endings }: { caption: string; endings: readonly CountedEnding[] }) {
	const hasExamples = endings.some(({ example }) => example !== undefined);
	const key = ({ outcome, reason }: CountedEnding) => `${outcome} ${reason}`;
	const columns = hasExamples ? endingColumns : endingColumns.slice(0, -1);
	return <Table caption={caption} columns={columns} rows={endings} rowKey={key} empty="No URL has ended yet." />;
}

/** Names and values beside each other. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
	return (
		<dl class="facts">
			{facts.map(([name, value]) => (
				<div class="fact" key={name}>
					<dt>{name}</dt>
					<dd>{value}</dd>
				</div>
			))}
		</dl>
	);
}
