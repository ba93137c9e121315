import type { HeaderFields } from '../robots2/header-fields.ts';
import { signalValues } from './signal-fields.ts';
import type { MetaTag } from './types.ts';

/** Rules whose value follows a colon: what stands before it is no agent. */
const ruleWithValue = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

/**
 * The rules that `X-Robots-Tag` headers give an agent: those for everybody and its own together, since rules only
 * restrict. Names are compared without case; rules come lower-cased, `max-snippet:0` as written here.
 */
export function robotsTagRules(headers: HeaderFields, names: readonly string[]): TagRule[] {
	return signalValues(headers, 'x-robots-tag').flatMap((value) =>
		readTagRules(value, names).map((rule) => ({ rule, text: `X-Robots-Tag: ${value}`, line: 0 })),
	);
}

/** The rules of `<meta name="robots">` and of meta tags that carry a name of the agent. */
export function metaRules(tags: readonly MetaTag[], names: readonly string[]): TagRule[] {
	return tags
		.filter(({ name }) => isNamed(name.trim(), ['robots', ...names]))
		.flatMap(({ name, content, line = 0 }) =>
			content
				.toLowerCase()
				.split(',')
				.map((rule) => ({ rule: normalise(rule), text: `<meta name="${name}" content="${content}">`, line })),
		);
}

/** One rule and where it was read. */
export interface TagRule {
	readonly rule: string;
	readonly text: string;
	readonly line: number;
}

/** `[agent:] rule, rule…`; an agent holds until the next one, since HTTP joins repeated headers with commas. */
function readTagRules(value: string, names: readonly string[]): string[] {
	const rules: string[] = [];
	let ours = true;
	for (const part of value.toLowerCase().split(',')) {
		const colon = part.indexOf(':');
		const agent = part.slice(0, Math.max(colon, 0)).trim();
		const prefixed = agent !== '' && !/\s/.test(agent) && !ruleWithValue.test(agent);
		if (prefixed) ours = agent === '*' || isNamed(agent, names);
		if (ours) rules.push(normalise(prefixed ? part.slice(colon + 1) : part));
	}
	return rules;
}

function normalise(rule: string): string {
	const [name = '', ...value] = rule.split(':');
	return value.length === 0 ? name.trim() : `${name.trim()}:${value.join(':').trim()}`;
}

function isNamed(written: string, names: readonly string[]): boolean {
	return names.some((name) => name.toLowerCase() === written.toLowerCase());
}
