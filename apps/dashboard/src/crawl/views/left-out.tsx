import { Badge, type Column, count, Empty, Section, Table } from '../../ui/index.ts';
import type { LeftOutPage } from '../data.ts';
import { More } from '../more.tsx';
import { EndingTable, UrlLink } from '../parts.tsx';
import { useCounts } from '../use-counts.ts';
import { usePieces } from '../use-pieces.ts';
import { isLeftOut, sentence } from '../words.ts';
import { Counted } from './overview.tsx';

type Host = LeftOutPage['hosts'][number];
type Row = Host['patterns'][number] & { readonly host: string };

const columns: readonly Column<Row>[] = [
	{ title: 'Pattern', value: ({ pattern }) => pattern, cell: ({ pattern }) => <code>{pattern}</code> },
	{ title: 'Host', value: ({ host }) => host },
	{
		title: 'Left out as',
		value: ({ kind }) => kind,
		cell: ({ kind }) => (
			<Badge tone={kind === 'trap' ? 'warn' : 'neutral'}>{kind === 'trap' ? 'endless space' : 'copy'}</Badge>
		),
	},
	{ title: 'URLs left out', isNumber: true, value: ({ leftOut }) => leftOut, cell: ({ leftOut }) => count(leftOut) },
	{ title: 'How the crawl knows', isBlock: true, value: ({ why }) => sentence(why) },
];

/** URLs that the crawler skipped as traps or copies, with the learned patterns. */
export function LeftOutView() {
	const counts = useCounts();
	const pieces = usePieces('api/left-out?', pieceOf);
	const rows = pieces.items.flatMap(({ page }) =>
		page.hosts.flatMap(({ host, patterns }) => patterns.map((pattern): Row => ({ ...pattern, host }))),
	);
	const { aliases = 0, examples = [] } = pieces.items[0]?.page ?? {};
	const endings = counts.value?.pages.filter(({ reason }) => isLeftOut(reason)) ?? [];
	return (
		<div class="stack">
			<Section title="Learned patterns" note="Parts of addresses that bring the same page again, or nothing new.">
				<Table
					caption="Learned patterns"
					columns={columns}
					rows={rows}
					rowKey={({ host, kind, pattern }) => `${host} ${kind} ${pattern}`}
					empty={pieces.isLoading ? 'Reading …' : 'The crawl has learned no pattern: no address repeated a page.'}
				/>
				{(pieces.hasMore || pieces.error !== undefined) && <More of={pieces} what="hosts" />}
			</Section>
			<Section title="Skipped URLs by reason" note="Counted over the whole store. Choose a reason to see its URLs.">
				<Counted counts={counts} />
				{endings.length > 0 && <EndingTable caption="Skipped URLs by reason" endings={endings} />}
				{endings.length === 0 && counts.value?.isComplete && <Empty title="No URL was skipped as a trap or a copy." />}
			</Section>
			<Section
				title="Other addresses of the same page"
				note={`${count(aliases)}${aliases >= 10_000 ? ' or more' : ''} addresses lead to a page that is kept under another one.`}
			>
				<Table
					caption="Other addresses of the same page"
					columns={[
						{ title: 'Address', value: ({ url }) => url, cell: ({ url }) => <UrlLink url={url} length={80} /> },
						{ title: 'Page', value: ({ page }) => page, cell: ({ page }) => <UrlLink url={page} length={80} /> },
					]}
					rows={examples}
					rowKey={({ url }) => url}
					empty="None."
				/>
			</Section>
		</div>
	);
}

const pieceOf = (page: LeftOutPage) => ({ items: [{ page }], ...(page.next !== undefined && { next: page.next }) });
