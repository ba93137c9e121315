import { bytes, type Column, count, Loaded, Notice, roughly, Section, Stat, Stats, Table } from '../../ui/index.ts';
import { AgentLink } from '../agent-cell.tsx';
import type { AgentSavings, Savings } from '../data.ts';
import { agentValue, nameOf, viewLink } from '../query.ts';
import type { ViewProps } from '../site-view.tsx';
import { useFigures } from '../use-figures.ts';

const manifest = '/.well-known/pagedigest.json';

const cheapForms = 'som,represent';

const represented: readonly Column<AgentSavings>[] = [
	{ title: 'Agent', value: ({ agent }) => nameOf(agent), cell: ({ agent }) => <AgentLink agent={agent} /> },
	{
		title: 'Pages served so',
		isNumber: true,
		value: (row) => row.represented,
		cell: ({ agent, represented: number }) => (
			<a href={viewLink('requests', { agent: agentValue(agent), action: cheapForms })}>{count(number)}</a>
		),
	},
	{ title: 'Bytes saved', isNumber: true, value: (row) => row.bytesSaved, cell: (row) => bytes(row.bytesSaved) },
	{ title: 'Tokens saved', isNumber: true, value: (row) => row.tokensSaved, cell: (row) => count(row.tokensSaved) },
];

const avoided: readonly Column<AgentSavings>[] = [
	{ title: 'Agent', value: ({ agent }) => nameOf(agent), cell: ({ agent }) => <AgentLink agent={agent} /> },
	{
		title: 'Manifest read',
		isNumber: true,
		value: (row) => row.manifestReads,
		cell: ({ agent, manifestReads }) => (
			<a href={viewLink('requests', { agent: agentValue(agent), path: manifest })}>{count(manifestReads)}</a>
		),
	},
	{
		title: 'Requests not sent',
		isNumber: true,
		value: (row) => row.requestsAvoided,
		cell: (row) => count(row.requestsAvoided),
	},
	{ title: 'Bytes not sent', isNumber: true, value: (row) => row.bytesAvoided, cell: (row) => bytes(row.bytesAvoided) },
	{
		title: 'Tokens not read',
		isNumber: true,
		value: (row) => row.tokensAvoided,
		cell: (row) => count(row.tokensAvoided),
	},
];

export function SavingsView(props: ViewProps) {
	const savings = useFigures<Savings>('savings', { ...props, every: props.slowly });
	return <Loaded of={savings}>{(value) => <Figures {...value} />}</Loaded>;
}

function Figures({ agents, isPartial }: Savings) {
	const sum = (value: (row: AgentSavings) => number) => agents.reduce((all, row) => all + value(row), 0);
	return (
		<div class="stack">
			{isPartial && (
				<Notice tone="info" title="The period has more requests than are read at once.">
					<p>The manifest saved at least this much. Choose a shorter period for exact figures.</p>
				</Notice>
			)}
			<Stats>
				<Stat title="Requests not sent" value={roughly(sum((row) => row.requestsAvoided))} detail="by the manifest" />
				<Stat
					title="Bytes saved"
					value={bytes(sum((row) => row.bytesSaved + row.bytesAvoided))}
					detail={`${bytes(sum((row) => row.bytesSaved))} by SOM and Markdown, ${bytes(sum((row) => row.bytesAvoided))} by the manifest`}
					tone="good"
				/>
				<Stat
					title="Tokens saved"
					value={roughly(sum((row) => row.tokensSaved + row.tokensAvoided))}
					detail={`${roughly(sum((row) => row.tokensSaved))} by SOM and Markdown, ${roughly(sum((row) => row.tokensAvoided))} by the manifest`}
					tone="good"
				/>
				<Stat
					title="Pages in a cheap form"
					value={roughly(sum((row) => row.represented))}
					detail="served as SOM or Markdown"
					href={viewLink('requests', { action: cheapForms })}
				/>
			</Stats>
			<Section
				title="By SOM and Markdown"
				note="SOM (Semantic Object Model) is the page as structured data. Saved is the size of the page in HTML without what was sent."
			>
				<Table
					caption="Saved by SOM and Markdown"
					columns={represented}
					rows={agents.filter((row) => row.represented > 0)}
					rowKey={({ agent }) => nameOf(agent)}
					empty="No page was served as SOM or Markdown in this period."
				/>
			</Section>
			<Section
				title="By the manifest"
				note="The manifest lists the revision of each page. After each read, the pages that the agent had already and did not fetch again count as requests not sent, at the size it last fetched; a token is four bytes of them."
			>
				<Table
					caption="Saved by the manifest"
					columns={avoided}
					rows={agents.filter((row) => row.manifestReads > 0)}
					rowKey={({ agent }) => nameOf(agent)}
					empty="No agent read the manifest in this period."
				/>
			</Section>
		</div>
	);
}
