import {
	Badge,
	BarList,
	bytes,
	Chart,
	count,
	Loaded,
	Notice,
	roughly,
	Section,
	Stat,
	Stats,
	share,
} from '../../ui/index.ts';
import { AgentLink } from '../agent-cell.tsx';
import type { AgentFigures, Overview, Traffic } from '../data.ts';
import { agentValue, nameOf, viewLink } from '../query.ts';
import type { ViewProps } from '../site-view.tsx';
import { topSeries } from '../top-series.ts';
import { useFigures } from '../use-figures.ts';
import { actions, judgements, outcomes } from '../words.ts';

const nobody = 'No agent visited in this period. Visits by people are not counted here.';
const maxSeries = 6;
const maxAgents = 8;

/** The figures that matter most, and ways to what they count. */
export function OverviewView(props: ViewProps) {
	const traffic = useFigures<Traffic>('traffic', props, { by: 'agent' });
	return (
		<Loaded of={props.overview}>
			{(figures) => (
				<div class="stack">
					{figures.observing && (
						<Notice tone="warn" title="Observing only: no client is denied.">
							<p>
								The figures show what the policy would have denied. Start the gateway without --observe to enforce it.
							</p>
						</Notice>
					)}
					<Totals {...figures} />
					<div class="columns">
						<RequestsOverTime {...figures} />
						<Section title="Requests by agent" note="The most active agents, each with a line of its own.">
							<Loaded of={traffic}>
								{({ times, series }) => (
									<Chart
										title="Requests by agent"
										kind="lines"
										times={times}
										series={topSeries(
											series.map(({ name, requests }) => ({ name: name || '(no name)', values: requests })),
											maxSeries,
										)}
										empty={nobody}
									/>
								)}
							</Loaded>
						</Section>
					</div>
					<div class="columns three">
						<TopAgents {...figures} />
						<Section title="Identity" note="Requests by the outcome of the identity check.">
							<BarList
								label="Requests by identity"
								empty={nobody}
								amounts={Object.entries(outcomes).map(([outcome, { title, detail, tone }]) => ({
									label: `${title}: ${detail}`,
									value: figures.identity[outcome as keyof typeof outcomes],
									href: viewLink('requests', { outcome }),
									tone,
								}))}
							/>
						</Section>
						<Section title="Actions" note="Requests by the action of the gateway.">
							<BarList label="Requests by action" empty={nobody} amounts={actionAmounts(figures)} />
						</Section>
					</div>
				</div>
			)}
		</Loaded>
	);
}

function RequestsOverTime({ slices, observing }: Overview) {
	return (
		<Section title="Requests over time" note="All agents together, allowed and denied.">
			<Chart
				title="Requests over time"
				kind="bars"
				times={slices.map(({ at }) => at)}
				series={[
					{ name: 'Allowed', values: slices.map(({ allowed }) => allowed), tone: 'info' },
					{ name: observing ? 'Would be denied' : 'Denied', values: slices.map(({ denied }) => denied), tone: 'bad' },
				]}
				empty={nobody}
			/>
		</Section>
	);
}

function TopAgents({ agents }: Overview) {
	const broken = agents.filter(({ judgement }) => judgement === 'broken' || judgement === 'spoofed');
	return (
		<Section title="Agents to act on" note="Those that broke rules they had read, or use a false name.">
			{broken.length === 0 ? (
				<p class="soft">No agent broke a rule in this period.</p>
			) : (
				<ul class="plain-list">
					{broken.slice(0, maxAgents).map((row) => (
						<li key={`${row.outcome} ${row.agent}`}>
							<AgentLink agent={row.agent} />
							<Badge tone={judgements[row.judgement].tone}>{judgements[row.judgement].title}</Badge>
							<BrokenCount {...row} />
						</li>
					))}
				</ul>
			)}
		</Section>
	);
}

function BrokenCount({ agent, outcome, judgement, requests, disallowed, unasked, honeypots }: AgentFigures) {
	const number = judgement === 'spoofed' ? requests : disallowed + unasked + honeypots;
	const filter = judgement === 'spoofed' ? {} : { broken: '1' };
	return (
		<a
			class="end"
			href={viewLink('requests', { agent: agentValue(agent), outcome, ...filter })}
			aria-label={`${count(number)} requests of ${nameOf(agent)}`}
		>
			{count(number)}
		</a>
	);
}

function actionAmounts(overview: Overview) {
	const amounts = Object.entries(overview.actions).map(([action, value]) => ({
		label: actions[action]?.title ?? action,
		value,
		href: viewLink('requests', { action }),
		tone: actions[action]?.tone ?? ('neutral' as const),
	}));
	return amounts.filter(({ value }) => value > 0);
}

function Totals({ totals, agents, slices, observing }: Overview) {
	const { requests, denied, violations, bytesSaved, tokensSaved } = totals;
	// The running slice is no fall.
	const over = slices.slice(0, -1);
	const names = new Set(agents.flatMap(({ agent }) => agent ?? []));
	return (
		<Stats>
			<Stat
				title="Requests"
				value={roughly(requests)}
				detail={`of ${count(names.size)} ${names.size === 1 ? 'agent' : 'agents'} by name`}
				href={viewLink('requests')}
				trend={over.map((slice) => slice.allowed + slice.denied)}
			/>
			<Stat
				title={observing ? 'Would be denied' : 'Denied'}
				value={roughly(denied)}
				detail={`${share(denied, requests)} of requests`}
				href={viewLink('requests', { denied: '1' })}
				trend={over.map((slice) => slice.denied)}
			/>
			<Stat
				title="Rules broken"
				value={roughly(violations)}
				detail="of rules that the agent had read"
				href={viewLink('rules')}
				tone={violations > 0 ? 'bad' : 'neutral'}
				trend={over.map((slice) => slice.violations)}
			/>
			<Stat
				title="Bytes saved"
				value={bytes(bytesSaved)}
				detail="by SOM and Markdown"
				href={viewLink('savings')}
				trend={over.map((slice) => slice.bytesSaved)}
			/>
			<Stat title="Tokens saved" value={roughly(tokensSaved)} detail="by SOM and Markdown" href={viewLink('savings')} />
		</Stats>
	);
}
