import { Choice, navigate, queryWith, Section } from '../../ui/index.ts';
import type { ViewProps } from '../crawl-view.tsx';
import type { UrlPage } from '../data.ts';
import { More } from '../more.tsx';
import { UrlTable, When } from '../parts.tsx';
import { usePieces } from '../use-pieces.ts';

const kinds = { changed: 'Changed', new: 'New', gone: 'Gone' } as const;
type Kind = keyof typeof kinds;

const notes = {
	changed: 'Their document replaced an earlier one. Choose a page to see the difference.',
	new: 'Visited for the first time in the last run.',
	gone: 'The site does not have them any more.',
} as const satisfies Record<Kind, string>;

export function ChangesView({ query, state }: ViewProps) {
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
			tools={
				<Choice
					label="Kind of change"
					options={kinds}
					value={kind}
					onChange={(next) => navigate(queryWith({ kind: next }))}
				/>
			}
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
