import { Badge, BarList, count, Empty, Notice, Section, Select, Skeleton, Stat, Stats } from '../ui/index.ts';
import type { Comparison, EffectCounts, KeptVersion, ReplayedAgent, ReplayedChange, ReplayedEffect } from './data.ts';

export interface ComparisonViewProps {
	readonly found: Comparison | undefined;
	readonly error: string | undefined;
	readonly isRunning: boolean;
	/** The text has changed since it was compared. */
	readonly isStale: boolean;
	/** The text is the policy in force. */
	readonly isLive: boolean;
	readonly versions: readonly KeptVersion[];
	/** Id of a version; empty: the policy in force. */
	readonly against: string;
	readonly onAgainst: (id: string) => void;
	readonly onCompare: () => void;
}

const words: Readonly<Record<ReplayedEffect, string>> = {
	allowed: 'allowed',
	denied: 'denied (403)',
	slowed: 'slowed down (429)',
	trapped: 'in a honeypot',
	refused: 'refused',
};

/** Requests of last week that the text in the editor would have treated in another way. */
export function ComparisonView(props: ComparisonViewProps) {
	const { found, error, isRunning, isStale, versions, against, onAgainst, onCompare } = props;
	const options = {
		'': 'the policy in force',
		...Object.fromEntries(versions.map(({ id, at, note }) => [id, `${timeOf(at)}${note === '' ? '' : `: ${note}`}`])),
	};
	return (
		<Section
			title="Last week, with this text"
			note="The requests that the ledger recorded in the last seven days, decided again by the gateway’s own code."
			tools={
				<button type="button" disabled={isRunning} onClick={onCompare}>
					{found === undefined ? 'Compare' : 'Compare again'}
				</button>
			}
		>
			<div class="stack">
				<Select
					label="Compared with"
					options={options}
					value={against}
					onChange={(event) => onAgainst(event.currentTarget.value)}
				/>
				{error !== undefined && <Notice tone="bad" title={error} />}
				{isRunning && <Skeleton lines={5} />}
				{isStale && !isRunning && found !== undefined && (
					<Notice
						tone="warn"
						title="The text, or the policy in force, has changed since this comparison. Compare again."
					/>
				)}
				{found !== undefined && !isRunning && <Result found={found} isLive={props.isLive && against === ''} />}
			</div>
		</Section>
	);
}

function Result({ found, isLive }: { found: Comparison; isLive: boolean }) {
	const { recorded, replayed, changed, sample, before, after, agents, others, limits } = found;
	if (recorded === 0) return <Empty title="The ledger recorded no requests in the last seven days." />;
	const affected = agents.filter((agent) => agent.changed > 0);
	const stated = agents.filter((agent) => agent.changed === 0 && agent.uses.length > 0);
	const untouched = agents.length - affected.length - stated.length;
	return (
		<>
			<Stats>
				<Stat
					title="Treated differently"
					value={count(changed)}
					detail={`of ${count(replayed)} requests`}
					tone={changed > 0 ? 'warn' : 'neutral'}
				/>
				<Stat title="Agents concerned" value={count(affected.length)} detail={`of ${count(agents.length)}`} />
				<Stat title="Denied" value={count(after.denied)} detail={`before: ${count(before.denied)}`} />
				<Stat title="Slowed down" value={count(after.slowed)} detail={`before: ${count(before.slowed)}`} />
			</Stats>
			{sample !== undefined && <Notice tone="warn" title={sample} />}
			{changed === 0 && stated.length === 0 && (
				<Empty
					title={
						isLive
							? 'This text is the policy in force, so nothing would have changed.'
							: 'No request of last week would have been treated differently.'
					}
				/>
			)}
			<ul class="subjects">
				{affected.map((agent) => (
					<Affected key={agent.agent ?? ''} agent={agent} />
				))}
				{stated.map((agent) => (
					<li key={agent.agent ?? ''}>
						<div class="subject-name">
							<strong>{agent.agent}</strong>
							<span class="soft">All its requests stay as they were; the policy tells it something else:</span>
						</div>
						<Uses of={agent} />
					</li>
				))}
			</ul>
			<div class="soft replay-notes">
				{untouched > 0 && <p>{untouched === 1 ? '1 agent sees' : `${untouched} agents see`} no difference.</p>}
				{others !== undefined && (
					<p>
						Further agents, not listed: {count(others.requests)} requests, {count(others.changed)} of them treated
						differently.
					</p>
				)}
				{limits.map((sentence) => (
					<p key={sentence}>{sentence}</p>
				))}
			</div>
		</>
	);
}

function Affected({ agent }: { agent: ReplayedAgent }) {
	const { agent: name, operator, requests, changed, before, after } = agent;
	return (
		<li>
			<div class="subject-name">
				<strong>{name ?? 'without a name'}</strong>
				<span class="soft">
					{operator !== undefined && `${operator} · `}
					{count(changed)} of {count(requests)} requests
				</span>
				<Badge tone={after.denied > before.denied ? 'bad' : 'info'}>{inWords(before, after)}</Badge>
			</div>
			{agent.changes.map((change) => (
				<Change key={`${change.from} ${change.to}`} change={change} />
			))}
			{agent.uses.length > 0 && <Uses of={agent} />}
		</li>
	);
}

function Change({ change }: { change: ReplayedChange }) {
	const { from, to, requests, paths, morePaths, rule } = change;
	return (
		<details>
			<summary>
				{count(requests)} {words[from]} → {words[to]}
				{rule !== undefined && (
					<>
						{' '}
						by <code>{rule.text}</code>
					</>
				)}
			</summary>
			<BarList
				label={`Paths: ${words[from]} → ${words[to]}`}
				amounts={paths.map(({ path, requests: value }) => ({ label: path, value }))}
				empty="No paths."
			/>
			{morePaths > 0 && (
				<p class="soft">
					and {morePaths >= 500 ? 'at least ' : ''}
					{count(morePaths)} other paths
				</p>
			)}
		</details>
	);
}

function Uses({ of }: { of: ReplayedAgent }) {
	return (
		<p class="soft">
			{of.uses.slice(0, 6).map(({ use, from, to }, at) => (
				<span key={use}>
					{at > 0 && '; '}
					{use}: {effectWord(from)} → {effectWord(to)}
				</span>
			))}
			{of.uses.length > 6 && `; and ${of.uses.length - 6} more uses`}
		</p>
	);
}

const effectWord = (effect: string): string =>
	({ allow: 'yes', deny: 'no', ask: 'ask', limited: 'within limits', unspecified: 'not stated' })[effect] ?? effect;

function inWords(before: EffectCounts, after: EffectCounts): string {
	const denied = after.denied - before.denied;
	if (denied > 0) return `${count(denied)} more denied`;
	if (denied < 0) return `${count(-denied)} fewer denied`;
	const slowed = after.slowed - before.slowed;
	return slowed === 0
		? 'treated differently'
		: `${count(Math.abs(slowed))} ${slowed > 0 ? 'more' : 'fewer'} slowed down`;
}

const when = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
export const timeOf = (time: number): string => when.format(time);
