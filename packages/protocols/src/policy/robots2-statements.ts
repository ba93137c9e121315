import type { Evidence } from '../evidence.ts';
import {
	answerAllows,
	type EffectivePolicy,
	type PermissionName,
	type Setting,
	shortQuoteWords,
} from '../robots2/index.ts';
import { parseUrl } from '../url/parse-url.ts';
import type { Agent, AskRecord, Limits, Obligations, Statement } from './types.ts';

/** The row of `conformance/requirements.tsv` behind each directive. */
const rows: Readonly<Record<PermissionName, string>> = {
	crawl: 'R2-10',
	read: 'R2-11',
	summarise: 'R2-13',
	quote: 'R2-14',
	derivative: 'R2-17',
	train: 'R2-19',
	store: 'R2-23',
	compete: 'R2-24',
	personalise: 'R2-26',
	monetise: 'R2-27',
};

/** A setting as evidence. */
export function evidenceOf({ source, line, column, text }: Setting, requirement: string): Evidence {
	return { source, line, column, text, mechanism: 'robots2', requirement };
}

/** Statements of a permission directive about a URL, with the decisions of the ask endpoint. */
export function statementsFromDirective(
	policy: EffectivePolicy,
	name: PermissionName,
	agent: Agent,
	asks: readonly AskRecord[],
	url: string,
): Statement[] {
	const setting = policy[name];
	if (!setting) return [];
	const evidence = evidenceOf(setting, setting.category === undefined ? rows[name] : 'R2-36');
	if (name === 'compete') return isBarred(policy, agent) ? [] : statementsFromCompete(policy, setting, agent);
	switch (setting.value) {
		case 'yes':
			return [{ effect: 'allow', evidence }];
		case 'short-only':
			return [limited(setting, 'R2-15', { quoteWords: shortQuoteWords })];
		case 'session-only':
			return [limited(setting, 'R2-21', { store: 'session' })];
		case 'ask':
			return statementsFromAnswers(name, { ...evidence, requirement: 'R2-40' }, asks, url);
		default:
			return [{ effect: 'deny', evidence }];
	}
}

function limited(setting: Setting, requirement: string, limits: Limits): Statement {
	return { effect: 'allow', evidence: evidenceOf(setting, requirement), limits };
}

/** The line that says `ask`, and what was answered. Without an answer for this URL the question is open. */
function statementsFromAnswers(
	directive: PermissionName,
	line: Evidence,
	asks: readonly AskRecord[],
	url: string,
): Statement[] {
	const answers = asks
		.filter((record) => record.directive === directive)
		.map((record) => statementFromAnswer(record, url))
		.filter((statement) => statement !== undefined);
	const effects = answers.map(({ effect }) => effect);
	if (effects.includes('deny') || effects.includes('allow'))
		return [{ effect: effects.includes('deny') ? 'deny' : 'allow', evidence: line }, ...answers.filter(decided)];
	return [{ effect: 'ask', evidence: line, directive }, ...answers];
}

const decided = ({ effect }: Statement) => effect !== 'silent';

function statementFromAnswer({ answer, source, url: askedFor }: AskRecord, url: string): Statement | undefined {
	const say = (effect: Statement['effect'], text: string, requirement: string, limits?: Limits): Statement => ({
		effect,
		evidence: { source, line: 0, text, mechanism: 'ask', requirement },
		...(limits && { limits }),
	});
	if (answer.decision === 'later') return say('silent', 'the ask endpoint said "not now": asks again later', 'R2-45');
	if (answer.decision === 'deny') {
		const text =
			answer.why === 'denied' ? 'X-Robots2-Decision: deny' : `the decision could not be parsed (${answer.why})`;
		return say('deny', text, answer.why === 'no-endpoint' ? 'R2-52' : 'R2-44');
	}
	const scopes = answer.scopes.map((scope) => `; X-Robots2-Scope: ${scope}`).join('');
	const text = `X-Robots2-Decision: ${answer.decision}${scopes}`;
	if (answer.decision === 'allow-once' && !sameUrl(askedFor, url)) return undefined;
	if (!answerAllows(answer, url)) return say('deny', text, 'R2-51');
	if (answer.decision === 'allow-once') return say('allow', text, 'R2-48', { once: true });
	return say('allow', text, scopes === '' ? 'R2-50' : 'R2-51');
}

function sameUrl(a: string | undefined, b: string): boolean {
	return a !== undefined && parseUrl(a)?.href === b;
}

/** `compete: no` lets a user's query pass, and a business of another market. */
function statementsFromCompete(policy: EffectivePolicy, setting: Setting, agent: Agent): Statement[] {
	const market = policy.market ? [evidenceOf(policy.market, 'R2-25')] : [];
	const evidence = [evidenceOf(setting, setting.category === undefined ? 'R2-24' : 'R2-36'), ...market];
	const permitted =
		setting.value === 'yes' || (agent.operatorMarket === undefined ? servesUser(agent) : !isCompetitor(policy, agent));
	return evidence.map((each) => ({ effect: permitted ? 'allow' : 'deny', evidence: each }));
}

/** What bars a competitor from every use: "can a direct commercial competitor use this?" */
export function barCompetitor(policy: EffectivePolicy, agent: Agent): Statement[] {
	const { compete } = policy;
	return compete && isBarred(policy, agent) ? statementsFromCompete(policy, compete, agent) : [];
}

function isBarred(policy: EffectivePolicy, agent: Agent): boolean {
	return policy.compete?.value === 'no' && isCompetitor(policy, agent);
}

function isCompetitor({ market }: EffectivePolicy, { operatorMarket }: Agent): boolean {
	if (operatorMarket === undefined) return false;
	return market === undefined || market.value.toLowerCase() === operatorMarket.trim().toLowerCase();
}

function servesUser({ servesUser: stated, categories = [] }: Agent): boolean {
	return stated ?? (categories.length > 0 && categories.every((category) => category === 'ai-assistant'));
}

/** `rate: 0` means no requests at all. */
export function barByRate({ rate }: EffectivePolicy): Statement[] {
	return rate?.value === '0' ? [{ effect: 'deny', evidence: evidenceOf(rate, 'R2-30') }] : [];
}

/** Obligations for any use. */
export function obligationsOf({ attribution, 'link-back': linkBack, announce, rate }: EffectivePolicy): Obligations {
	const credit = wish(attribution);
	const link = wish(linkBack);
	const perMinute = Number(rate?.value);
	return {
		...(credit && { attribution: credit }),
		...(link && { linkBack: link }),
		...(announce?.value === 'yes' && { announce: true as const }),
		...(perMinute > 0 && { ratePerMinute: perMinute }),
	};
}

function wish(setting: Setting | undefined): 'required' | 'preferred' | undefined {
	return setting?.value === 'required' || setting?.value === 'preferred' ? setting.value : undefined;
}
