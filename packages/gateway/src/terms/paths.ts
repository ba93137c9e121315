import { matchRobots, parseRobots } from '@wayleave/protocols/robots';
import type { Config } from '../config/schema.ts';
import { closedAgents } from './closed-agents.ts';

/** One `Allow` or `Disallow` line. */
export interface PathRule {
	readonly allow: boolean;
	readonly pattern: string;
}

/** The rules of an agent that the policy file names. */
export interface NamedRules {
	/** Its product token, as robots.txt has it. */
	readonly agent: string;
	/** Its name, where no line of robots.txt can carry that: it has blanks. */
	readonly name?: string;
	/** All that counts for it: its own rules and what holds for everybody. */
	readonly rules: readonly PathRule[];
	/** It is forbidden something that others are not: what they are allowed does not count for it. */
	readonly restricted: boolean;
	/** The whole site is closed to its category: no rule opens a path to it. */
	readonly closed?: true;
	/** Rules of the policy file that have no effect for it. */
	readonly denied?: readonly PathRule[];
}

/** The rules of an agent to whose category the site is closed. */
export const toNothing = { rules: [{ allow: false, pattern: '/' }], restricted: true, closed: true } as const;

/** The path rules of the policy file. */
export interface PathTerms {
	readonly everybody: readonly PathRule[];
	readonly named: readonly NamedRules[];
	readonly honeypots: readonly string[];
	/** Whether the whole site is closed to an agent because of its category. */
	isClosed(name: string): boolean;
}

type Lists = { readonly allow?: readonly string[] | undefined; readonly disallow?: readonly string[] | undefined };

/**
 * The path rules of a policy file. A group of robots.txt replaces the one for everybody (RFC 9309 §2.2.1), so the rules
 * of a named agent repeat what everybody is forbidden, save where it is itself allowed the very path. What everybody
 * is allowed it gets only as long as nothing is forbidden to it by name: `GPTBot: { disallow: ["/"] }` means all.
 */
export function pathTerms(
	config: Pick<Config, 'paths' | 'honeypots' | 'policy' | 'categories' | 'identity'>,
): PathTerms {
	const { paths, honeypots } = config;
	const closed = closedAgents(config);
	const traps = honeypots.map((pattern): PathRule => ({ allow: false, pattern }));
	const general = rulesOf(paths);
	const named = [...byName(paths.agents ?? {}).values()].map(({ agent, name, own }): NamedRules => {
		const called = { agent, ...(name !== undefined && { name }) };
		if (closed.has(name ?? agent)) return { ...called, ...toNothing, denied: own.filter(({ allow }) => allow) };
		const rules = withBase(own, general);
		return { ...called, rules: closeTraps([...rules, ...traps], honeypots).rules, restricted: forbids(own) };
	});
	const seen = new Set(named.map(({ agent }) => agent.toLowerCase()));
	const listed = closed.agents.flatMap(({ token, name }): NamedRules[] => {
		if (seen.has(token.toLowerCase())) return [];
		seen.add(token.toLowerCase());
		return [{ agent: token, ...(name !== undefined && { name }), ...toNothing }];
	});
	const everybody = closeTraps([...general, ...traps], honeypots).rules;
	return { everybody, named: [...named, ...listed], honeypots, isClosed: closed.has };
}

/** Rules of one agent upon those that hold for everybody. */
export function withBase(own: readonly PathRule[], base: readonly PathRule[]): PathRule[] {
	const allowed = new Set(own.filter(({ allow }) => allow).map(({ pattern }) => pattern));
	const inherited = base.filter(({ allow, pattern }) => (allow ? !forbids(own) : !allowed.has(pattern)));
	return distinct([...own, ...inherited]);
}

/** Where two lists say the opposite of the same path, the Disallow stands. */
export function distinct(rules: readonly PathRule[]): PathRule[] {
	const forbidden = new Set(rules.filter(({ allow }) => !allow).map(({ pattern }) => pattern));
	const seen = new Set<string>();
	return rules.filter(({ allow, pattern }) => {
		if (seen.has(pattern) || (allow && forbidden.has(pattern))) return false;
		seen.add(pattern);
		return true;
	});
}

/** Leaves out every Allow by which a honeypot could be fetched (robots2 §7): an agent that follows the rules is never trapped. */
export function closeTraps<Rule extends PathRule>(
	rules: readonly Rule[],
	honeypots: readonly string[],
): { rules: Rule[]; dropped: Rule[] } {
	const dropped = new Set<Rule>();
	for (const trap of honeypots) {
		for (;;) {
			const kept = rules.filter((rule) => !dropped.has(rule));
			const { allowed, rule } = matchRobots(parseRobots(groupText(kept)).value, '*', trap);
			// The first line is the agent's; an empty Allow restricts nothing either.
			const opening = allowed && rule !== undefined ? kept[rule.line - 2] : undefined;
			if (opening === undefined) break;
			dropped.add(opening);
		}
	}
	return { rules: rules.filter((rule) => !dropped.has(rule)), dropped: [...dropped] };
}

function groupText(rules: readonly PathRule[]): string {
	return ['User-agent: *', ...rules.map(ruleLine)].join('\n');
}

export function ruleLine({ allow, pattern }: PathRule): string {
	return `${allow ? 'Allow' : 'Disallow'}: ${pattern}`.trimEnd();
}

export function forbids(rules: readonly PathRule[]): boolean {
	return rules.some(({ allow, pattern }) => !allow && pattern !== '');
}

function rulesOf({ allow = [], disallow = [] }: Lists): PathRule[] {
	return distinct([
		...allow.map((pattern) => ({ allow: true, pattern })),
		...disallow.map((pattern) => ({ allow: false, pattern })),
	]);
}

interface Named {
	readonly agent: string;
	readonly name?: string;
	readonly own: PathRule[];
}

/** Names that differ in case only are one (RFC 9309 §2.2.1). */
function byName(agents: Readonly<Record<string, Lists>>): Map<string, Named> {
	const names = new Map<string, Named>();
	for (const [name, lists] of Object.entries(agents)) {
		// Readers cut a name at its first blank (RFC 9309 §2.2.1), so what they take from it is published.
		const [agent = name] = name.split(' ');
		const known = names.get(agent.toLowerCase());
		const own = distinct([...(known?.own ?? []), ...rulesOf(lists)]);
		names.set(agent.toLowerCase(), { agent, ...(agent !== name && { name }), ...known, own });
	}
	return names;
}
