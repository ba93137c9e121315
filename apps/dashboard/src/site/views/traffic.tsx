import {
	bytes,
	Chart,
	Choice,
	type Column,
	count,
	Loaded,
	navigate,
	queryWith,
	Section,
	Select,
	Table,
} from '../../ui/index.ts';
import type { Grouping, Traffic, TrafficSeries } from '../data.ts';
import { type FilterName, viewLink } from '../query.ts';
import type { ViewProps } from '../site-view.tsx';
import { topSeries } from '../top-series.ts';
import { useFigures } from '../use-figures.ts';
import { actions, outcomes, purposes } from '../words.ts';

const groupings: Readonly<Record<Grouping, string>> = {
	agent: 'Agent',
	operator: 'Operator',
	purpose: 'Purpose',
	category: 'Category',
	outcome: 'Identity',
	action: 'Action',
};
const measures = { requests: 'Requests', bytes: 'Bytes', denied: 'Denied', tokensSaved: 'Tokens saved' } as const;
type Measure = keyof typeof measures;

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** The name of a group, for people. */
function titleOf(by: Grouping, name: string): string {
	if (by === 'purpose') return purposes[name] ?? name;
	if (by === 'action') return actions[name]?.title ?? name;
	if (by === 'outcome') return outcomes[name as keyof typeof outcomes]?.title ?? name;
	return name || { agent: '(no name)', operator: 'Unknown operators', category: 'No category' }[by];
}

/** Series of each agent, operator, purpose or category side by side; what is drawn is chosen in the legend. */
export function TrafficView(props: ViewProps) {
	const { query } = props;
	const by = oneOf(groupings, query.get('by'), 'agent');
	const measure = oneOf(measures, query.get('measure'), 'requests');
	const traffic = useFigures<Traffic>('traffic', props, { by });
	return (
		<Loaded of={traffic}>
			{(value) => (
				<div class="stack">
					<Section
						title={`${measures[measure]} by ${groupings[value.by].toLowerCase()}`}
						tools={
							<>
								<Select
									label="Series for each"
									options={groupings}
									value={by}
									onChange={({ currentTarget }) => navigate(queryWith({ by: currentTarget.value, hidden: undefined }))}
								/>
								<Choice
									label="Measure"
									options={measures}
									value={measure}
									onChange={(next) => navigate(queryWith({ measure: next }))}
								/>
							</>
						}
					>
						<TrafficChart {...value} measure={measure} hidden={hiddenIn(query)} />
					</Section>
					<Section title={`Totals by ${groupings[value.by].toLowerCase()}`}>
						<Table
							caption={`Traffic by ${groupings[value.by].toLowerCase()}`}
							columns={columnsOf(value.by)}
							rows={value.series}
							rowKey={({ name }) => name}
							empty="No agent visited in this period."
						/>
					</Section>
				</div>
			)}
		</Loaded>
	);
}

function oneOf<Name extends string>(names: Readonly<Record<Name, string>>, given: string | null, other: Name): Name {
	return given !== null && Object.hasOwn(names, given) ? (given as Name) : other;
}

const hiddenIn = (query: URLSearchParams): ReadonlySet<string> => new Set(query.getAll('hidden'));

function TrafficChart({
	by,
	times,
	series,
	measure,
	hidden,
}: Traffic & { measure: Measure; hidden: ReadonlySet<string> }) {
	const toggle = (name: string) => {
		const query = new URLSearchParams(location.search);
		query.delete('hidden');
		const next = hidden.has(name) ? [...hidden].filter((each) => each !== name) : [...hidden, name];
		for (const each of next) query.append('hidden', each);
		navigate(`?${query}`);
	};
	return (
		<Chart
			title={`${measures[measure]} by ${groupings[by].toLowerCase()}`}
			kind="lines"
			height={300}
			times={times}
			series={topSeries(series.map((each) => ({ name: titleOf(by, each.name), values: each[measure] })))}
			{...(measure === 'bytes' && { format: bytes })}
			hidden={hidden}
			onToggle={toggle}
			empty="No agent visited in this period."
		/>
	);
}

const filterOf = {
	agent: 'agent',
	operator: 'operator',
	purpose: 'purpose',
	category: 'category',
	outcome: 'outcome',
	action: 'action',
} as const satisfies Record<Grouping, FilterName>;

const cheap = { action: 'som,represent' };

function columnsOf(by: Grouping): readonly Column<TrafficSeries>[] {
	const link = (name: string, more = {}) => viewLink('requests', { [filterOf[by]]: name, ...more });
	return [
		{ title: groupings[by], value: ({ name }) => titleOf(by, name) },
		{
			title: 'Requests',
			isNumber: true,
			value: ({ requests }) => sum(requests),
			cell: ({ name, requests }) => <a href={link(name)}>{count(sum(requests))}</a>,
		},
		{
			title: 'Denied',
			isNumber: true,
			value: ({ denied }) => sum(denied),
			cell: ({ name, denied }) => <a href={link(name, { denied: '1' })}>{count(sum(denied))}</a>,
		},
		{
			title: 'Bytes',
			isNumber: true,
			value: (row) => sum(row.bytes),
			cell: (row) => <a href={link(row.name)}>{bytes(sum(row.bytes))}</a>,
		},
		{
			title: 'Bytes saved',
			isNumber: true,
			value: (row) => sum(row.bytesSaved),
			cell: (row) => <a href={link(row.name, cheap)}>{bytes(sum(row.bytesSaved))}</a>,
		},
		{
			title: 'Tokens saved',
			isNumber: true,
			value: (row) => sum(row.tokensSaved),
			cell: (row) => <a href={link(row.name, cheap)}>{count(sum(row.tokensSaved))}</a>,
		},
	];
}
