import { type Agent, type AskRecord, namesOfAgent, type Verdict } from '@wayleave/protocols/policy';
import { prepareRobots } from '@wayleave/protocols/robots';
import { askPath } from '@wayleave/protocols/robots2';
import { foldAddress, type Readings } from '@wayleave/protocols/url';
import { decideAsk } from '../ask/decide-ask.ts';
import type { Config } from '../config/schema.ts';
import type { AgentTerms, FetchUse } from '../policy/agent-terms.ts';
import type { PolicyVersion } from '../policy/policy-version.ts';
import type { ClientState, Grant } from '../request/client-memory.ts';
import { agentOf, type Identity } from '../request/identity.ts';
import type { Purpose } from '../request/purpose.ts';
import type { Sharing, Spent } from '../request/sharing.ts';
import { isFault, readTarget, type Target } from '../request/target.ts';
import { looksOnly } from '../terms/closed-agents.ts';

/** Those whom the policy binds. People are not among them, nor what acts for one click of theirs. */
export const bound: ReadonlySet<Purpose> = new Set(['agent', 'assistant']);

/** The use of a fetch: `read`, unless all roles of the agent need only `crawl`. A verdict on `read` includes `crawl`. */
export function useOf({ categories }: Identity): FetchUse {
	return looksOnly(categories) ? 'crawl' : 'read';
}

/**
 * May this client have this page? The same decision that our crawler makes before it comes. Undefined: the policy does
 * not bind it.
 */
export function decidePage(
	config: Pick<Config, 'ask' | 'identity' | 'origin'>,
	policyVersion: PolicyVersion,
	identity: Identity,
	purpose: Purpose,
	known: ClientState,
	target: Target,
	now: number,
): Verdict | undefined {
	if (!bound.has(purpose)) return undefined;
	const use = useOf(identity);
	const decideOne = (terms: AgentTerms, path: string, fold?: (scope: string) => string): Verdict => {
		const url = config.origin + path;
		if (terms.toAsk.length === 0) return terms.decideFetch(use, url);
		return terms.decide(use, url, { asks: currentGrants(config, terms, identity, known, url, now, fold) });
	};
	const verdict = decideReadings(target, policyVersion, agentOf(identity), decideOne);
	if (verdict === undefined || verdict.permitted) return verdict;
	return purpose === 'assistant' && onlyForCrawlers(verdict, policyVersion, identity) ? undefined : verdict;
}

/** Terms for an agent, and the same for folded addresses where folding changes a rule. */
export interface FoldableTerms<Terms> {
	for(agent: Agent): Terms;
	folded(ignoreCase: boolean): { for(agent: Agent): Terms } | undefined;
}

/**
 * Decides by every reading of an address: as it is, then folded. The first verdict that does not permit counts.
 * Undefined where there is no reading: `OPTIONS *`.
 */
export function decideReadings<Terms>(
	{ readings, ignoreCase }: Pick<Target, 'readings' | 'ignoreCase'>,
	policyVersion: FoldableTerms<Terms>,
	agent: Agent,
	decideOne: (terms: Terms, path: string, fold?: (scope: string) => string) => Verdict,
): Verdict | undefined {
	const terms = policyVersion.for(agent);
	let verdict: Verdict | undefined;
	for (const reading of readings) {
		verdict = decideOne(terms, reading);
		if (!verdict.permitted) return verdict;
	}
	const folded = policyVersion.folded(ignoreCase)?.for(agent);
	const fold = (text: string) => foldAddress(text, ignoreCase);
	for (const reading of readings) {
		const other = fold(reading);
		if (folded === undefined && other === reading) continue;
		const foldedVerdict = decideOne(folded ?? terms, other, fold);
		if (!foldedVerdict.permitted) return foldedVerdict;
	}
	return verdict;
}

/** Whether a page is withheld from agents that no rule names, in one of its readings; so is one that cannot be read. */
export function isWithheld(target: string, policyVersion: PolicyVersion, origin: string, readings: Readings): boolean {
	const read = readTarget(target, undefined, readings);
	if (isFault(read)) return true;
	const verdict = decideReadings(read, policyVersion, { token: '*' }, (terms, path) =>
		terms.decide('crawl', origin + path),
	);
	return verdict?.permitted === false;
}

/**
 * Permissions of this agent that are still valid: the present rules allow them too, they have not
 * expired, and an allow for one use has not been used.
 */
export function currentGrants(
	config: Pick<Config, 'ask' | 'identity' | 'origin'>,
	{ effective, toAsk }: AgentTerms,
	identity: Identity,
	{ grants }: Pick<ClientState, 'grants'>,
	url: string,
	now: number,
	fold: (scope: string) => string = (scope) => scope,
): readonly AskRecord[] {
	if (grants === undefined) return [];
	return toAsk.flatMap((directive): AskRecord[] => {
		const grant = grants.get(directive);
		if (grant === undefined) return [];
		const { decision, scopes: stated, maxAge, holds } = decideAsk(config, effective, directive, identity);
		if (decision === 'deny' || grant.at + holds * 1000 <= now) return [];
		const scopes = stated.map(fold);
		const source = `${config.origin}${askPath}`;
		if (decision === 'allow') return [{ directive, source, answer: { decision, scopes, maxAge } }];
		return grant.once ? [{ directive, source, url, answer: { decision, scopes, maxAge: 0 } }] : [];
	});
}

/** Path rules for everybody speak to crawlers; a person's assistant goes where the person may, unless it is named. */
function onlyForCrawlers(verdict: Verdict, { policies }: PolicyVersion, identity: Identity): boolean {
	if (!verdict.because.every(({ requirement }) => requirement === 'REP-08' || requirement === 'R2-08')) return false;
	const names = namesOfAgent(agentOf(identity));
	const files = [
		...(policies.robots && 'file' in policies.robots ? [policies.robots.file] : []),
		...(policies.robots2 && 'files' in policies.robots2 ? policies.robots2.files.map(({ file }) => file.paths) : []),
	];
	return files.every((file) => prepareRobots(file, names).selected !== 'specific');
}

/**
 * An allow for one use is spent when the use begins, even if it fails.
 *
 * @returns what was spent, to be given back where the use did not begin after all.
 */
export function spendOnce({ grants }: ClientState, { toAsk }: AgentTerms): readonly (readonly [FetchUse, Grant])[] {
	return toAsk.flatMap((use) => {
		const grant = grants?.get(use);
		if (grant?.once !== true) return [];
		grants?.delete(use);
		return [[use, grant] as const];
	});
}

/** Spends permissions for one use in the store that gateways share: all of them, or none. */
export async function spendAll(sharing: Sharing, spent: readonly (readonly [FetchUse, Grant])[]): Promise<Spent> {
	for (const [at, [, grant]] of spent.entries()) {
		const outcome = await sharing.spend(grant);
		if (outcome === 'spent') continue;
		for (const [, before] of spent.slice(0, at)) sharing.giveBack(before);
		return outcome;
	}
	return 'spent';
}
