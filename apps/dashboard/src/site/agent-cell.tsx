import { Badge, cut } from '../ui/index.ts';
import type { Outcome } from './data.ts';
import { agentValue, nameOf, viewLink } from './query.ts';
import { outcomes } from './words.ts';

/** The name of an agent, as a link to its figures. */
export function AgentLink({ agent }: { agent: string | null }) {
	return <a href={viewLink('agents', { agent: agentValue(agent) })}>{cut(nameOf(agent), 40)}</a>;
}

/** The outcome of its identity check; with an agent, a link to the evidence. */
export function OutcomeBadge({ outcome, agent }: { outcome: Outcome; agent?: string | null }) {
	const { title, tone } = outcomes[outcome];
	return agent === undefined ? (
		<Badge tone={tone}>{title}</Badge>
	) : (
		<Badge tone={tone} href={viewLink('identity', { agent: agentValue(agent), outcome })}>
			{title}
		</Badge>
	);
}
