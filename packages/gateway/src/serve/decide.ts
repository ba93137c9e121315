import type { AskRecord, PreparedPolicies, Use, Verdict } from '@wayleave/protocols/policy';
import { prepareRobots } from '@wayleave/protocols/robots';
import { askPath, type PermissionName } from '@wayleave/protocols/robots2';
import { decideAsk } from '../ask/decide-ask.ts';
import type { Config } from '../config/schema.ts';
import type { Acquaintance } from './acquaintances.ts';
import type { Edition } from './edition.ts';
import { agentOf, type Identity } from './identity.ts';
import type { Purpose } from './purpose.ts';
import type { Target } from './target.ts';

/** Those whom the policy binds. People are not among them, nor what acts for one click of theirs. */
const bound: ReadonlySet<Purpose> = new Set(['agent', 'assistant']);
/** Roles that fetch a page without needing what it says (robots2 §5 gives monitoring `crawl: yes, read: no`). */
const withoutReading: ReadonlySet<string> = new Set(['monitoring', 'search-indexer']);
const gates: readonly PermissionName[] = ['crawl', 'read'];

/** What a fetch is for: reading, save for agents all of whose roles do without. A verdict on `read` includes `crawl`. */
export function useOf({ categories }: Identity): Use {
	const looksOnly = categories.length > 0 && categories.every((category) => withoutReading.has(category));
	return looksOnly ? 'crawl' : 'read';
}

/**
 * May this client have this page? The same decision that our crawler makes before it comes. Undefined: the policy does
 * not bind it.
 */
export function decidePage(
	config: Pick<Config, 'ask' | 'origin'>,
	edition: Edition,
	identity: Identity,
	purpose: Purpose,
	known: Acquaintance,
	target: Target,
): Verdict | undefined {
	if (!bound.has(purpose)) return undefined;
	const agent = agentOf(identity);
	const prepared = edition.for(agent);
	const use = useOf(identity);
	let verdict: Verdict | undefined;
	for (const reading of target.readings) {
		const url = config.origin + reading;
		verdict = prepared.decide(use, url, { asks: standingAnswers(config, prepared, identity, known, url) });
		if (!verdict.permitted) break;
	}
	if (verdict === undefined || verdict.permitted) return verdict;
	return purpose === 'assistant' && onlyForCrawlers(verdict, edition, identity) ? undefined : verdict;
}

/** What the ask endpoint says, or has said, to this agent; an allow for one use is there until it is used. */
function standingAnswers(
	config: Pick<Config, 'ask' | 'origin'>,
	{ effective }: PreparedPolicies,
	{ name }: Identity,
	{ once }: Acquaintance,
	url: string,
): readonly AskRecord[] {
	const asked = gates.filter((gate) => effective[gate]?.value === 'ask');
	if (asked.length === 0) return [];
	return asked.flatMap((directive): AskRecord[] => {
		const { decision, scopes, maxAge } = decideAsk(config, effective, directive, name);
		const source = `${config.origin}${askPath}`;
		if (decision === 'allow') return [{ directive, source, answer: { decision, scopes, maxAge } }];
		if (decision !== 'allow-once' || (once?.get(directive) ?? 0) === 0) return [];
		return [{ directive, source, url, answer: { decision, scopes, maxAge: 0 } }];
	});
}

/** Path rules for everybody speak to crawlers; a person's assistant goes where the person may, unless it is named. */
function onlyForCrawlers(verdict: Verdict, { policies }: Edition, identity: Identity): boolean {
	if (!verdict.because.every(({ requirement }) => requirement === 'REP-08' || requirement === 'R2-08')) return false;
	const { token, name } = agentOf(identity);
	const names = name === undefined ? [token] : [token, name];
	const files = [
		...(policies.robots && 'file' in policies.robots ? [policies.robots.file] : []),
		...(policies.robots2 && 'files' in policies.robots2 ? policies.robots2.files.map(({ file }) => file.paths) : []),
	];
	return files.every((file) => prepareRobots(file, names).selected !== 'specific');
}

/** An allow for one use is spent when the use begins, even if it fails (AMB-56). */
export function spendOnce({ once }: Acquaintance, prepared: PreparedPolicies): void {
	if (once === undefined) return;
	for (const gate of gates) {
		const left = once.get(gate) ?? 0;
		if (left > 0 && prepared.effective[gate]?.value === 'ask') once.set(gate, left - 1);
	}
}

/** Seconds between two pages that the policy asks of an agent; 0 where it asks for none. */
export function delayOf({ crawlDelay = 0, obligations }: PreparedPolicies): number {
	return Math.max(crawlDelay, obligations.ratePerMinute === undefined ? 0 : 60 / obligations.ratePerMinute);
}
