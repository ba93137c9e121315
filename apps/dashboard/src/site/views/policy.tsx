import { type Column, Empty, Loaded, moment, Section, Table } from '../../ui/index.ts';
import type { Policy } from '../data.ts';
import type { ViewProps } from '../site-view.tsx';

const columns: readonly Column<Policy['past'][number]>[] = [
	{ title: 'Version', value: ({ version }) => version, cell: ({ version }) => <code>{version}</code> },
	{ title: 'From', value: ({ since }) => since, cell: ({ since }) => moment(since) },
	{ title: 'Until', value: ({ until }) => until, cell: ({ until }) => moment(until) },
];

/** The texts that agents get, and the versions before. */
export function PolicyView({ useFigures }: ViewProps) {
	const policy = useFigures<Policy | null>('policy');
	return (
		<Loaded of={policy}>
			{(value) => (value === null ? <Empty title="No policy is published here." /> : <PolicyFiles {...value} />)}
		</Loaded>
	);
}

function PolicyFiles({ version, since, robots, robots2, past }: Policy) {
	return (
		<div class="stack">
			<p>
				Version <code>{version}</code> since {moment(since)}
			</p>
			<div class="columns">
				<Section title="robots.txt">
					<Text content={robots} />
				</Section>
				<Section title="robots2.txt">
					{robots2 === '' ? (
						<Empty title="No robots2.txt is published: robots.txt can express everything in the policy file." />
					) : (
						<Text content={robots2} />
					)}
				</Section>
			</div>
			<Section title="Earlier versions">
				<Table
					caption="Earlier versions of the policy"
					columns={columns}
					rows={past}
					rowKey={({ version: name, since: from }) => `${name} ${from}`}
					empty="No earlier version is recorded."
				/>
			</Section>
		</div>
	);
}

function Text({ content }: { content: string }) {
	// biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
	return <pre tabIndex={0}>{content}</pre>;
}
