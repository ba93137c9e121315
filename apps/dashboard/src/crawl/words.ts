import type { Tone } from '../ui/index.ts';

/** Outcomes of URLs as people read them. */
export const outcomes = {
	fetched: { title: 'Fetched', tone: 'good', about: 'read, with a document' },
	unchanged: { title: 'Unchanged', tone: 'good', about: 'as it was at the last visit' },
	gone: { title: 'Gone', tone: 'neutral', about: 'the site does not have it any more' },
	refused: { title: 'Refused', tone: 'warn', about: 'the policy of the site forbids it' },
	failed: { title: 'Failed', tone: 'bad', about: 'no usable response' },
	deferred: { title: 'Deferred', tone: 'warn', about: 'put off to a later run' },
	'out-of-scope': { title: 'Out of scope', tone: 'neutral', about: 'found, and left out' },
	waiting: { title: 'Waiting', tone: 'info', about: 'not visited yet' },
} as const satisfies Readonly<Record<string, { title: string; tone: Tone; about: string }>>;

export type OutcomeName = keyof typeof outcomes;

export const outcomeNames = Object.keys(outcomes) as OutcomeName[];

export function outcomeOf(name: string | undefined): (typeof outcomes)[OutcomeName] {
	return outcomes[name !== undefined && Object.hasOwn(outcomes, name) ? (name as OutcomeName) : 'waiting'];
}

/** Reasons that leave a URL out as a copy of another page or as part of an endless space. */
export const isLeftOut = (reason: string | undefined): boolean =>
	reason !== undefined && /^(?:trap-|alias$|url-too-long$)/.test(reason);

/** A sentence of the server at the beginning of a cell. */
export const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** `a moment ago`, `in 2 min`: how far a time is from now. */
export function fromNow(time: number, now: number): string {
	const seconds = Math.round(Math.abs(time - now) / 1000);
	if (seconds < 1) return 'now';
	const text = spanOf(seconds * 1000);
	return time > now ? `in ${text}` : `${text} ago`;
}

/** A span of time in its two largest units. */
export function spanOf(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	if (seconds < 60) return `${seconds} s`;
	if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
	if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
	return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
}
