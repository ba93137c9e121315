import { Choice, navigate, queryWith, Section } from '../../ui/index.ts';
import type { ViewProps } from '../crawl-view.tsx';
import type { UrlPage } from '../data.ts';
import { More } from '../more.tsx';
import { Noticed } from '../noticed.tsx';
import { UrlTable, When } from '../parts.tsx';
import { usePieces } from '../use-pieces.ts';

const kinds = { changed: 'Changed', new: 'New', gone: 'Gone' } as const;
type Kind = keyof typeof kinds;
const choices = { ...kinds, watched: 'Watched' } as const;

const notes = {
	changed: 'Their document replaced an earlier one. Choose a page to see the difference.',
	new: 'Visited for the first time in the last run.',
	gone: 'The site does not have them any more.',
} as const satisfies Record<Kind, string>;

export function ChangesView(props: ViewProps) {
	return props.query.get('kind') === 'watched' ? <WatchedView /> : <LastRunView {...props} />;
}

/** What a watch has found, over all runs. */
function WatchedView() {
	return (
		<Section
			title="Changes that the watch has found"
			note="Without noise such as clocks and counters; with the notices that receivers got."
			tools={<KindChoice of="watched" />}
		>
			<Noticed caption="Watched changes" />
		</Section>
	);
}

function KindChoice({ of }: { of: keyof typeof choices }) {
	return (
		<Choice
			label="Kind of change"
			options={choices}
			value={of}
			onChange={(next) => navigate(queryWith({ kind: next }))}
		/>
	);
}

function LastRunView({ query, state }: ViewProps) {
	const given = query.get('kind') ?? 'changed';
	const kind: Kind = given === 'new' || given === 'gone' ? given : 'changed';
	const pieces = usePieces(`api/changes?kind=${kind}`, pieceOf);
	const run = state.value?.run;
	return (
		<Section
			title={`${kinds[kind]} since the last crawl`}
			note={
				<>
					{notes[kind]}{' '}
					{run !== undefined && (
						<>
							The last run began at <When at={run.startedAt} />
							{run.mode === 'new' ? ' and was the first one, to which every page is new.' : '.'}
						</>
					)}
				</>
			}
			tools={<KindChoice of={kind} />}
		>
			<UrlTable
				caption={`${kinds[kind]} pages`}
				urls={pieces.items}
				empty={pieces.isLoading ? 'Reading the store …' : 'None since the last run began.'}
			/>
			<More of={pieces} what="URLs" />
		</Section>
	);
}

const pieceOf = ({ urls, next }: UrlPage) => ({ items: urls, ...(next !== undefined && { next }) });
