import { Badge, type Column, Table, type Tone } from '../ui/index.ts';
import type { PageChangesPage, ShownChange } from './data.ts';
import { More } from './more.tsx';
import { UrlLink, When } from './parts.tsx';
import { usePieces } from './use-pieces.ts';

const kinds: Readonly<Record<string, readonly [title: string, tone: Tone]>> = {
	added: ['Added', 'good'],
	changed: ['Changed', 'neutral'],
	gone: ['Gone', 'bad'],
	moved: ['Moved', 'neutral'],
	terms: ['Terms changed', 'warn'],
};
const summaries: Readonly<Record<string, string>> = { gone: 'Reason', terms: 'Changes of the terms' };
const states = { waiting: 'waiting', delivered: 'delivered', kept: 'rejected' } as const;

const columns: readonly Column<ShownChange>[] = [
	{ title: 'Seen', value: ({ at }) => at, cell: ({ at }) => <When at={at} /> },
	{ title: 'Change', value: ({ kind }) => kind, cell: ({ kind }) => <Kind of={kind} /> },
	{ title: 'Page', isBlock: true, value: ({ url }) => url, cell: (change) => <ChangedPage of={change} /> },
	{ title: 'Notices', value: ({ notices }) => notices.length, cell: (change) => <Notices of={change} /> },
];

/** Changes that a watched crawl found, with their notices; of one page, or of all. */
export function Noticed({ url, caption }: { url?: string; caption: string }) {
	const pieces = usePieces(`api/page-changes?url=${encodeURIComponent(url ?? '')}`, pieceOf);
	const empty = pieces.isLoading
		? 'Reading the store …'
		: 'None. Only a crawl with --on-change or --history logs changes.';
	return (
		<>
			<Table
				caption={caption}
				columns={columns}
				rows={pieces.items}
				rowKey={({ id }) => id}
				empty={empty}
				pageSize={100}
			/>
			<More of={pieces} what="changes" />
		</>
	);
}

function Kind({ of }: { of: string }) {
	const [title, tone] = kinds[of] ?? [of, 'neutral'];
	return <Badge tone={tone}>{title}</Badge>;
}

function ChangedPage({ of: { kind, url, title, movedTo, difference } }: { of: ShownChange }) {
	return (
		<>
			{title !== undefined && <div>{title}</div>}
			<UrlLink url={url} />
			{movedTo !== undefined && (
				<>
					{' to '}
					<UrlLink url={movedTo} />
				</>
			)}
			{difference !== '' && (
				<details>
					<summary>{summaries[kind] ?? 'Changes of the text'}</summary>
					<div class="diff">
						{difference.split('\n').map((line, at) => (
							<Line key={at} of={line} />
						))}
					</div>
				</details>
			)}
		</>
	);
}

function Line({ of: line }: { of: string }) {
	const text = line.slice(2);
	if (line.startsWith('+ ') || line === '+')
		return (
			<p>
				<span class="quiet">added: </span>
				<ins>{text}</ins>
			</p>
		);
	if (line.startsWith('- ') || line === '-')
		return (
			<p>
				<span class="quiet">removed: </span>
				<del>{text}</del>
			</p>
		);
	return <p>{line.startsWith('> ') ? text : line}</p>;
}

function Notices({ of: { notices, isHeld } }: { of: ShownChange }) {
	if (isHeld) return <>after the run</>;
	if (notices.length === 0) return <>–</>;
	return (
		<ul>
			{notices.map(({ receiver, state, attempts, detail }) => (
				<li key={receiver} title={detail}>
					{`${states[state]}${state === 'delivered' ? '' : `, ${attempts} attempts`}: ${receiver}`}
				</li>
			))}
		</ul>
	);
}

const pieceOf = ({ changes, next }: PageChangesPage) => ({ items: changes, ...(next !== undefined && { next }) });
