import type { Compliance } from '../compliance.ts';
import type { Report } from '../read-report.ts';
import { bytes, count, counted, dateOf, percent, shown } from './numbers.ts';

/** What happened in the period, in sentences for people who do not know the gateway. */
export function summaryOf({ period, totals, agents, identity }: Report): string[] {
	const { requests, denied, observed, violations, bytesSaved, tokensSaved } = totals;
	const dates = `${dateOf(period.since)} to ${dateOf(period.until)}`;
	if (requests === 0) return [`From ${dates}, no agent visited this site. Visits by people are not counted.`];
	const named = new Set(agents.flatMap(({ agent }) => agent ?? [])).size;
	const sentences = [
		`From ${dates}, ${counted(named, 'agent')} by name made ${counted(requests, 'request')} and received ${bytes(totals.bytes)}.`,
		`The gateway denied ${percent(denied, requests)} of the requests (${count(denied)}).`,
	];
	if (observed > 0)
		sentences.push(`It only observed ${count(observed)} of these: they were answered, as it ran with --observe.`);
	sentences.push(rulesSentence(agents, violations));
	if (identity.spoofed > 0)
		sentences.push(`${counted(identity.spoofed, 'request')} used the name of an agent that did not send them.`);
	if (bytesSaved > 0 || tokensSaved > 0)
		sentences.push(`Short representations of pages saved ${bytes(bytesSaved)} and ${counted(tokensSaved, 'token')}.`);
	return sentences;
}

function rulesSentence(agents: readonly Compliance[], violations: number): string {
	const number = (judgement: Compliance['judgement']) =>
		new Set(agents.filter((agent) => agent.judgement === judgement).map(({ agent }) => agent)).size;
	const broken = number('broken');
	const others = `${counted(number('kept'), 'agent')} kept them, and ${counted(number('unread'), 'agent')} did not read them`;
	if (broken === 0) return `No agent broke a rule that it could know; ${others}.`;
	return `${counted(broken, 'agent')} broke rules that they could know (${counted(violations, 'request')}); ${others}.`;
}

/** What one agent did wrong, and what its owner's site can do. */
export interface Advice {
	readonly agent: string;
	readonly deed: string;
	readonly remedy: string;
}

const maxAdvice = 5;

/** The agents to act on, at most five: those that broke most rules, and those in whose name others came. */
export function adviceOf({ agents }: Report): Advice[] {
	return agents
		.filter(({ judgement }) => judgement === 'broken' || judgement === 'spoofed')
		.slice(0, maxAdvice)
		.map((agent) => ({ agent: shown(agent.agent ?? 'a client without a name', 40), ...deedOf(agent) }));
}

function deedOf(agent: Compliance): { deed: string; remedy: string } {
	if (agent.judgement === 'spoofed') {
		return {
			deed: `${counted(agent.requests, 'request')} in this name came from ${counted(agent.clients, 'foreign address', 'foreign addresses')}. ${agent.why}`,
			remedy: 'The gateway refuses them. Nothing counts against the agent itself.',
		};
	}
	const deeds: readonly (readonly [number, string])[] = [
		[agent.disallowed, 'requested disallowed pages'],
		[agent.unasked, 'requested pages without asking for permission'],
		[agent.honeypots, 'requested hidden addresses that the policy files forbid'],
		[agent.early, 'came before its pause was over'],
	];
	const done = deeds.flatMap(([number, deed]) => (number === 0 ? [] : [`${deed} ${times(number)}`]));
	const read = agent.policyReads > 0 ? 'It had read the policy.' : 'It did not read the policy in this period.';
	return { deed: `It ${done.join(', ')}. ${read}`, remedy: remedyOf(agent) };
}

function times(number: number): string {
	return number === 1 ? 'once' : `${count(number)} times`;
}

function remedyOf({ agent, outcome, disallowed, unasked, honeypots }: Compliance): string {
	if (agent === null) return 'Deny or limit agents that give no name in the policy file.';
	if (disallowed + unasked + honeypots === 0) return 'Limit its rate in the policy file.';
	const write = 'Send its operator a report (wayleave report --agent NAME --submission mail)';
	return outcome === 'verified' ? `${write}: its identity is proven.` : `${write}, and require proof of identity.`;
}
