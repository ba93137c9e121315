import { recordEffects } from '@wayleave/protocols/robots';
import { markBlock, markOff } from './marks.ts';
import { agentKey, type OwnAgent, type OwnGroup, type OwnRobots, readOwnRobots } from './own-robots.ts';
import { closeTraps, distinct, type PathRule, type PathTerms, ruleLine, toNothing } from './paths.ts';
import { type PublishProblem, publishProblem } from './problems.ts';

/** The policy file's rules for robots.txt. */
export interface RobotsTerms {
	readonly paths: PathTerms;
	/** Records for every group, such as `Content-Usage: train-ai=n`. */
	readonly records: readonly string[];
	/** Seconds. */
	readonly crawlDelay?: number;
	/** Lines for the whole file. */
	readonly head: readonly string[];
}

export interface MergedRobots {
	readonly text: string;
	readonly problems: readonly PublishProblem[];
}

/**
 * Writes the policy into the robots.txt of a site. Its lines stay where they are, and ours are marked among them:
 * done again, the result is the same. Every agent is left with one group, since readers differ in what they make of
 * several; where that cannot be had by adding lines, the lines of the site are switched off and repeated in ours.
 */
export function mergeRobots(own: string | Uint8Array, terms: RobotsTerms): MergedRobots {
	const merge = new Merge(readOwnRobots(own), terms);
	const text = merge.write();
	return { text, problems: merge.problems.sort((a, b) => a.line - b.line) };
}

/** The merged rules of one agent. */
interface Outcome {
	readonly rules: readonly PathRule[];
	/** Lines of ours that the group of the site lacks. */
	readonly added: readonly string[];
	/** Line numbers of the site's own rules that no longer count. */
	readonly off: readonly number[];
	readonly records: readonly string[];
}

class Merge {
	readonly problems: PublishProblem[] = [];
	readonly #reported = new Set<string>();
	readonly #own: OwnRobots;
	readonly #terms: RobotsTerms;
	readonly #named: ReadonlyMap<string, PathTerms['named'][number]>;
	readonly #inserted = new Map<number, readonly string[]>();
	readonly #off = new Set<number>();
	readonly #outcomes = new Map<string, Outcome>();

	constructor(own: OwnRobots, terms: RobotsTerms) {
		this.#own = own;
		this.#terms = terms;
		const named = new Map(terms.paths.named.map((each) => [agentKey(each.agent), each]));
		for (const [key, { name }] of own.agents) {
			if (!named.has(key) && terms.paths.isClosed(name)) named.set(key, { agent: name, ...toNothing });
		}
		this.#named = named;
	}

	write(): string {
		const apart = this.#agentsApart();
		for (const group of this.#own.groups) {
			if (this.#fits(group)) this.#extend(group, apart.size > 0);
			else for (const line of group.lines) this.#off.add(line);
		}
		const groups = this.#groupLines([...apart]);
		const body = this.#own.lines.flatMap((line, index) => {
			const number = index + 1;
			return [this.#off.has(number) ? markOff(line) : line, ...(this.#inserted.get(number) ?? [])];
		});
		const lines = [...markBlock(this.#terms.head), ...body, ...markBlock(groups)];
		return lines.map((line) => line + this.#own.endOfLine).join('');
	}

	/** Agents that get a group of ours: those whose groups cannot stay as they are, and those that have none yet. */
	#agentsApart(): Set<string> {
		const apart = new Set(this.#own.groups.filter((group) => !this.#fits(group)).flatMap(({ agents }) => agents));
		if (!this.#own.agents.has('*') && this.#speaksToAll()) apart.add('*');
		for (const key of this.#named.keys()) if (!this.#own.agents.has(key)) apart.add(key);
		return apart;
	}

	/** Whether adding lines is enough: no agent of it has another group, and all are to get the same. */
	#fits(group: OwnGroup): boolean {
		const single = group.agents.every((key) => this.#own.agents.get(key)?.groups.size === 1);
		const terms = new Set(
			group.agents.map((key) => this.#named.get(key)).map((each) => (each?.closed ? 'closed' : each)),
		);
		return group.plain && single && terms.size <= 1;
	}

	#extend(group: OwnGroup, followed: boolean): void {
		const [key] = group.agents;
		if (key === undefined) return;
		const { rules, added, off } = this.#outcomeOf(key);
		for (const line of off) this.#off.add(line);
		// A group needs a rule: else the next one is read as part of it.
		const lines = rules.length === 0 && (followed || added.length > 0) ? ['Disallow:', ...added] : added;
		this.#inserted.set(Math.max(...group.lines), markBlock(lines));
	}

	#speaksToAll(): boolean {
		const { paths, records, crawlDelay } = this.#terms;
		return (
			paths.everybody.length > 0 || records.length > 0 || crawlDelay !== undefined || this.#own.groups.length === 0
		);
	}

	/** Separate groups; agents with the same rules share one. Names next to `*` would seem to have no effect. */
	#groupLines(keys: readonly string[]): string[] {
		const groups = new Map<string, { readonly names: string[]; readonly lines: readonly string[] }>();
		for (const key of keys) {
			const { rules, records } = this.#outcomeOf(key);
			const lines = [...(rules.length === 0 ? ['Disallow:'] : rules.map(ruleLine)), ...records];
			const name = this.#own.agents.get(key)?.name ?? this.#named.get(key)?.agent ?? '*';
			const shared = (key === '*' ? [key, ...lines] : lines).join('\n');
			const known = groups.get(shared);
			if (known === undefined) groups.set(shared, { names: [name], lines });
			else known.names.push(name);
		}
		const texts = [...groups.values()].map(({ names, lines }) => [
			...names.map((name) => `User-agent: ${name}`),
			...lines,
		]);
		return texts.flatMap((lines, index) => [...(index === 0 && this.#own.lines.length === 0 ? [] : ['']), ...lines]);
	}

	#outcomeOf(key: string): Outcome {
		// Where the site says nothing of its own to them, all agents that are closed out get the same group.
		const shared = this.#named.get(key)?.closed && !this.#own.agents.has(key) ? 'closed ' : key;
		const known = this.#outcomes.get(shared) ?? this.#combine(key);
		this.#outcomes.set(shared, known);
		return known;
	}

	#combine(key: string): Outcome {
		const named = this.#named.get(key);
		const ours = named?.rules ?? this.#terms.paths.everybody;
		const own = this.#ownOf(key, named?.restricted ?? false);
		const name = own?.name ?? named?.agent ?? '*';
		const ownRules = effective(own?.rules ?? []);
		const kept = named?.closed ? ownRules.filter(({ allow }) => !allow) : ownRules;
		const { rules, dropped } = closeTraps(distinct([...kept, ...ours]), this.#terms.paths.honeypots);
		if (named?.closed) this.#reportClosed(name, ownRules);
		else this.#reportRules(name, ownRules, ours, dropped);
		const [isOurs, inForce] = [new Set(ours), new Set(rules.map(ruleLine))];
		const has = new Set((own?.rules ?? []).map(ruleLine));
		const lacking = rules.filter((rule) => isOurs.has(rule)).map(ruleLine);
		const records = this.#recordsFor(name, own);
		return {
			rules,
			added: [...lacking.filter((line) => !has.has(line)), ...records],
			off: ownRules.filter((rule) => !inForce.has(ruleLine(rule))).map(({ line }) => line),
			records: [...(own?.records ?? []).map(({ key: field, value }) => `${field}: ${value}`), ...records],
		};
	}

	/** The site's own rules for an agent: in a group of its name, else for all agents. */
	#ownOf(key: string, restricted: boolean): OwnAgent | undefined {
		const own = this.#own.agents.get(key);
		const all = this.#own.agents.get('*');
		if (own !== undefined || all === undefined) return own;
		const name = this.#named.get(key)?.agent ?? key;
		// Below `Disallow: /` nothing has to be said again.
		if (this.#named.get(key)?.closed) return { ...all, name, rules: [] };
		return { ...all, name, rules: restricted ? all.rules.filter(({ allow }) => !allow) : all.rules };
	}

	#recordsFor(name: string, own: OwnAgent | undefined): string[] {
		const has = new Set((own?.records ?? []).map(({ key, value }) => `${key}: ${value}`.toLowerCase()));
		const records = this.#terms.records.filter((record) => !has.has(record.toLowerCase()));
		this.#reportSignals(name, own);
		const { crawlDelay } = this.#terms;
		const slower = own?.records.some(
			({ key, value }) => /^crawl-delay$/i.test(key) && Number(value) >= (crawlDelay ?? 0),
		);
		return [...(crawlDelay === undefined || slower ? [] : [`Crawl-delay: ${crawlDelay}`]), ...records];
	}

	#reportRules(
		agent: string,
		own: readonly { readonly allow: boolean; readonly pattern: string; readonly line: number }[],
		ours: readonly PathRule[],
		dropped: readonly PathRule[],
	): void {
		for (const rule of dropped)
			this.#report(
				'publish-honeypot-open',
				{ agent, line: ruleLine(rule) },
				own.find((each) => each === rule),
			);
		const opposite = new Map(ours.map((rule) => [`${!rule.allow} ${rule.pattern}`, rule]));
		for (const rule of own) {
			const { allow, pattern } = rule;
			if (opposite.has(`${allow} ${pattern}`)) this.#report('publish-rules-contradict', { agent, pattern }, rule);
			else if (allow) {
				const wider = ours.find((each) => !each.allow && each.pattern !== '' && pattern.startsWith(each.pattern));
				if (wider !== undefined && !dropped.includes(rule))
					this.#report('publish-own-allow-wins', { agent, pattern, wider: wider.pattern }, rule);
			}
		}
	}

	/** Paths that the site opens to an agent to whose category it is closed. */
	#reportClosed(
		agent: string,
		own: readonly { readonly allow: boolean; readonly pattern: string; readonly line: number }[],
	): void {
		for (const rule of own)
			if (rule.allow) this.#report('publish-category-wins', { agent, pattern: rule.pattern }, rule);
	}

	/** A record of the site that forbids what ours allows: readers take the stricter. */
	#reportSignals(agent: string, own: OwnAgent | undefined): void {
		for (const record of own?.records ?? []) {
			const key = record.key.toLowerCase();
			const ours = this.#terms.records.find((each) => each.toLowerCase().startsWith(`${key}:`));
			const denied = ours === undefined ? [] : namesWith('deny', record);
			for (const name of namesWith('allow', { key, value: ours?.slice(key.length + 1) ?? '' }))
				if (denied.includes(name)) this.#report('publish-signal-contradicts', { agent, key: record.key, name }, record);
		}
	}

	#report(code: PublishProblem['code'], args: PublishProblem['args'], at: { readonly line: number } | undefined): void {
		const problem = publishProblem(code, args, { line: at?.line ?? 0, column: at === undefined ? 0 : 1 });
		const what = JSON.stringify([code, args]);
		if (!this.#reported.has(what)) this.problems.push(problem);
		this.#reported.add(what);
	}
}

/** The rules of a site without a Disallow beside an Allow of the same path, which has no effect (RFC 9309 §2.2.2). */
function effective<Rule extends PathRule>(rules: readonly Rule[]): Rule[] {
	const allowed = new Set(rules.filter(({ allow }) => allow).map(({ pattern }) => pattern));
	return rules.filter(({ allow, pattern }) => allow || !allowed.has(pattern));
}

function namesWith(wanted: 'allow' | 'deny', record: Parameters<typeof recordEffects>[0]): string[] {
	return recordEffects(record).flatMap(({ name, effect }) => (effect === wanted ? [name] : []));
}
