import { BarList, bytes, Chart, count, Loaded, Notice, roughly, Section, Stat, Stats, share } from '../../ui/index.ts';
import type { Overview } from '../data.ts';
import { viewLink } from '../query.ts';
import type { ViewProps } from '../site-view.tsx';
import { actions, outcomes } from '../words.ts';

/** The figures that matter most, and ways to what they count. */
export function OverviewView({ overview }: ViewProps) {
	return <Loaded of={overview}>{(figures) => <Figures {...figures} />}</Loaded>;
}

function Figures(overview: Overview) {
	const { totals, identity, slices, observing } = overview;
	const denied = observing ? 'Would be denied' : 'Denied';
	return (
		<div class="stack">
			{observing && (
				<Notice tone="warn" title="Observing only: no client is denied.">
					<p>The figures show what the policy would have denied. Start the gateway without --observe to enforce it.</p>
				</Notice>
			)}
			<Totals {...overview} />
			<Section title="Requests over time">
				<Chart
					title="Requests over time"
					kind="bars"
					times={slices.map(({ at }) => at)}
					series={[
						{ name: 'Allowed', values: slices.map(({ allowed }) => allowed), tone: 'info' },
						{ name: denied, values: slices.map((slice) => slice.denied), tone: 'bad' },
					]}
					empty="No agent visited in this period. Visits by people are not counted here."
				/>
			</Section>
			<div class="columns">
				<Section title="Identity" note="Requests by the outcome of the identity check.">
					<BarList
						label="Requests by identity"
						empty="No agent visited in this period."
						amounts={Object.entries(outcomes).map(([outcome, { title, detail, tone }]) => ({
							label: `${title}: ${detail}`,
							value: identity[outcome as keyof typeof outcomes],
							href: viewLink('requests', { outcome }),
							tone,
						}))}
					/>
				</Section>
				<Section title="Actions" note="Requests by the action of the gateway.">
					<BarList
						label="Requests by action"
						empty="No agent visited in this period."
						amounts={actionAmounts(overview)}
					/>
				</Section>
			</div>
			<p class="soft">{count(totals.requests)} requests in this period.</p>
		</div>
	);
}

function actionAmounts(overview: Overview) {
	const amounts = Object.entries(overview.actions).map(([name, value]) => ({
		label: actions[name]?.title ?? name,
		value,
		tone: actions[name]?.tone ?? ('neutral' as const),
	}));
	return amounts.filter(({ value }) => value > 0);
}

function Totals({ totals, agents, slices, observing }: Overview) {
	const { requests, denied, violations, bytesSaved, tokensSaved } = totals;
	const names = new Set(agents.flatMap(({ agent }) => agent ?? []));
	return (
		<Stats>
			<Stat
				title="Requests"
				value={roughly(requests)}
				detail={`of ${count(names.size)} ${names.size === 1 ? 'agent' : 'agents'} by name`}
				href={viewLink('requests')}
				trend={slices.map((slice) => slice.allowed + slice.denied)}
			/>
			<Stat
				title={observing ? 'Would be denied' : 'Denied'}
				value={roughly(denied)}
				detail={`${share(denied, requests)} of requests`}
				href={viewLink('requests', { denied: '1' })}
				trend={slices.map((slice) => slice.denied)}
			/>
			<Stat
				title="Rules broken"
				value={roughly(violations)}
				detail="of rules that the agent had read"
				href={viewLink('rules')}
				tone={violations > 0 ? 'bad' : 'neutral'}
			/>
			<Stat title="Bytes saved" value={bytes(bytesSaved)} detail="by Markdown, SOM and manifest" />
			<Stat title="Tokens saved" value={roughly(tokensSaved)} detail="by Markdown, SOM and manifest" />
		</Stats>
	);
}
