import type { Tone } from '../ui/index.ts';
import type { AgentFigures, Outcome } from './data.ts';

/** Outcomes of the identity check. */
export const outcomes = {
	verified: { title: 'Verified', detail: 'the claimed identity is confirmed', tone: 'good' },
	unverified: { title: 'Unverified', detail: 'neither confirmed nor refuted', tone: 'warn' },
	unknown: { title: 'Unknown', detail: 'no claimed identity', tone: 'neutral' },
	spoofed: { title: 'Spoofed', detail: 'the claimed identity is refuted', tone: 'bad' },
} as const satisfies Record<Outcome, { title: string; detail: string; tone: Tone }>;

/** Actions of the gateway. */
export const actions: Readonly<Record<string, { readonly title: string; readonly tone: Tone }>> = {
	pass: { title: 'Passed to the site', tone: 'info' },
	represent: { title: 'Served as Markdown or SOM', tone: 'good' },
	som: { title: 'SOM endpoint', tone: 'good' },
	file: { title: 'Policy and other files', tone: 'neutral' },
	ask: { title: 'Permission requests', tone: 'neutral' },
	deny: { title: 'Denied', tone: 'bad' },
	limit: { title: 'Slowed down', tone: 'warn' },
	honeypot: { title: 'Caught in a honeypot', tone: 'bad' },
	refuse: { title: 'Refused as malformed', tone: 'bad' },
};

export const judgements = {
	kept: { title: 'kept the rules', tone: 'good' },
	broken: { title: 'broke rules', tone: 'bad' },
	unread: { title: 'did not read the policy', tone: 'warn' },
	spoofed: { title: 'false identity', tone: 'bad' },
} as const satisfies Record<AgentFigures['judgement'], { title: string; tone: Tone }>;

/** Purposes of requests, as the gateway tells them apart. */
export const purposes: Readonly<Record<string, string>> = {
	agent: 'Crawlers and other agents',
	assistant: 'Assistants that fetch for a person',
	anonymous: 'No User-Agent',
	feed: 'Feed readers',
	federation: 'Federated servers',
	prefetch: 'Prefetching browsers',
	'link-checker': 'Link checkers',
	other: 'Other clients',
	verification: 'Verification of a site',
};

/** Reasons of denials. */
export const reasons: Readonly<Record<string, string>> = {
	'not-permitted': 'the policy disallows it',
	'ask-first': 'the policy says to ask first',
	spoofed: 'the identity is false',
	'too-many-refusals': 'too many refused requests',
};
