import { agentCatalogue, knownAgents } from '@wayleave/protocols/identity';
import {
	type Agent,
	decide,
	fileVocabularies,
	type HostPolicies,
	limitTexts,
	type Policies,
	type Use,
	type Verdict,
} from '@wayleave/protocols/policy';
import { parseRobots } from '@wayleave/protocols/robots';
import { parseRobots2 } from '@wayleave/protocols/robots2';
import type { DescribedAgent, Place, Yielded } from './data.ts';

/** May this agent put this page to this use? */
export interface Question {
	readonly agent: string;
	readonly use: Use;
	/** Begins with `/`. */
	readonly path: string;
}

export interface Answer {
	readonly verdict: Verdict;
	/** One or two words: `No`. */
	readonly word: string;
	readonly tone: 'good' | 'warn' | 'bad' | 'neutral';
	readonly sentence: string;
	/** The line of the published file that decides. */
	readonly published: { readonly name: string; readonly line: number; readonly text: string } | undefined;
	/** The value of the policy file that it comes from. */
	readonly place: Place | undefined;
}

/**
 * Answers by the published files of a policy, as an agent that reads all of them does.
 *
 * @param places the values of the policy file; without them, the answer does not say where a line comes from
 */
export function answer(question: Question, yielded: Yielded, places?: readonly Place[]): Answer {
	const agent = agentNamed(question.agent, yielded.agents);
	const url = yielded.origin + question.path;
	const verdict = decide(policiesOf(yielded), agent, question.use, url);
	// Of silence, no line is evidence.
	const [evidence] = verdict.effect === 'unspecified' ? [] : verdict.because;
	const published = evidence && {
		name: nameOf(evidence.source, yielded),
		line: evidence.line,
		text: evidence.text,
	};
	const place = evidence && places && decidingPlace(evidence, agent, verdict, places);
	const from = places === undefined || published === undefined ? '' : originOf(place);
	const sentence = sentenceOf(question, verdict, published) + from;
	return { verdict, ...summaryOf(verdict), sentence, published, place };
}

/** An agent as a site knows it: by the policy file, by the catalogue, or by its name alone. */
export function agentNamed(name: string, described: readonly DescribedAgent[]): Agent {
	const wanted = name.trim().toLowerCase();
	const found =
		described.find((agent) => [agent.name, agent.token].some((each) => each?.toLowerCase() === wanted)) ??
		agentCatalogue.find(name.trim()) ??
		knownAgents.find(({ token }) => token.toLowerCase() === wanted);
	if (found === undefined) return { token: name.trim() };
	const { token, name: full, category } = found;
	return {
		token,
		...(full !== undefined && { name: full }),
		...(category !== undefined && { categories: [category] }),
	};
}

const headersName = 'Response headers';

function policiesOf({ origin, files }: Yielded): Policies {
	const text = (path: string) => files.find(({ name }) => name === path)?.text;
	const [robots, robots2, headers] = [text('/robots.txt'), text('/robots2.txt'), text(headersName)];
	const others = fileVocabularies.flatMap(({ name, file }) => {
		const own = text(file.path);
		return own === undefined ? [] : [[name, { source: origin + file.path, value: file.parse(own).value }] as const];
	});
	const fields = (headers ?? '').split('\n').flatMap((line) => {
		const colon = line.indexOf(':');
		return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()] as const];
	});
	return {
		...(robots !== undefined && { robots: { source: `${origin}/robots.txt`, file: parseRobots(robots).value } }),
		...(robots2 !== undefined && {
			robots2: { files: [{ source: `${origin}/robots2.txt`, file: parseRobots2(robots2).value }] },
		}),
		files: Object.fromEntries(others) as NonNullable<HostPolicies['files']>,
		...(fields.length > 0 && { page: { source: headersName, headers: fields } }),
	};
}

const nameOf = (source: string, { origin }: Yielded): string =>
	source.startsWith(origin) ? source.slice(origin.length) : source;

type Decided = Pick<Verdict['because'][number], 'mechanism' | 'text'>;

/** Directives whose `no` or `ask` also decides about a use: a page that may not be read may not be summarised. */
const above: readonly string[] = ['read', 'crawl'];

/** The value of the policy file that the deciding line was made of. Undefined: the line is the site's own. */
export function decidingPlace(
	{ mechanism, text }: Decided,
	{ token, name, categories = [] }: Agent,
	{ use }: Pick<Verdict, 'use'>,
	places: readonly Place[],
): Place | undefined {
	const [, key = '', value = ''] = /^\s*([\w-]+)\s*[:=]\s*(.*?)\s*$/.exec(text) ?? [];
	const first = (paths: readonly (readonly (string | number)[])[], fits: (place: Place) => boolean = () => true) => {
		for (const path of paths) {
			const found = places.find((place) => startsWith(place.path, path) && fits(place));
			if (found !== undefined) return found;
		}
		return undefined;
	};
	const list = key.toLowerCase();
	if (list === 'allow' || list === 'disallow') {
		const own = [name, token].flatMap((each) => (each === undefined ? [] : [['paths', 'agents', each, list]]));
		const rule = first([...own, ['paths', list], ['honeypots']], (place) => place.value === value);
		if (rule !== undefined) return rule;
		// A closed category is a `Disallow: /` for each of its agents.
		const closing = ['crawl', 'read'].flatMap((each) => directivePaths(each, categories));
		return first(closing, (place) => /^(?:no|false)$/.test(place.value));
	}
	const named = mechanism === 'robots2' && key !== '' ? [list] : [];
	return first([...named, use, ...above].flatMap((each) => directivePaths(each, categories)));
}

function directivePaths(directive: string, categories: readonly string[]): string[][] {
	return [...categories.map((category) => ['categories', category, directive]), ['policy', directive]];
}

/** Names are compared as agents compare them. */
function startsWith(path: readonly (string | number)[], begin: readonly (string | number)[]): boolean {
	return begin.every((step, at) => String(path[at]).toLowerCase() === String(step).toLowerCase());
}

function summaryOf({ effect, permitted }: Verdict): Pick<Answer, 'word' | 'tone'> {
	if (effect === 'allow') return { word: 'Yes', tone: 'good' };
	if (effect === 'limited') return { word: 'Yes, within limits', tone: 'warn' };
	if (effect === 'ask') return { word: 'Only after asking', tone: 'warn' };
	if (effect === 'deny') return { word: 'No', tone: 'bad' };
	return permitted ? { word: 'Not stated, so yes', tone: 'neutral' } : { word: 'Not stated, so no', tone: 'bad' };
}

const verbs: Readonly<Partial<Record<Use, string>>> = {
	crawl: 'fetch',
	read: 'read',
	summarise: 'summarise',
	quote: 'quote',
	derivative: 'make derivative works of',
	train: 'train on',
	store: 'store',
	compete: 'use for a competing product',
	personalise: 'use for personalisation',
	monetise: 'monetise',
};

export const verbOf = (use: Use): string => verbs[use] ?? `use (${use})`;

function sentenceOf(
	{ agent, use, path }: Question,
	{ effect, permitted, limits }: Verdict,
	published: Answer['published'],
): string {
	const what = `${agent} may${effect === 'deny' || (effect === 'unspecified' && !permitted) ? ' not' : ''} ${verbOf(use)} ${path}`;
	if (published === undefined) {
		const silence = permitted
			? 'no line of the policy is about this use, and silence permits it'
			: 'no line of the policy allows this use, and with a robots2.txt silence means no';
		return `${what}: ${silence}.`;
	}
	const bounds = limits === undefined ? [] : limitTexts(limits);
	const within = bounds.length === 0 ? '' : ` (${bounds.join('; ')})`;
	const after = effect === 'ask' ? ' once the ask endpoint has allowed it' : '';
	const at = published.line > 0 ? `, line ${published.line},` : '';
	return `${what}${after}${within}: ${published.name}${at} says “${published.text}”.`;
}

function originOf(place: Place | undefined): string {
	if (place === undefined) return ' No value of the policy file says so: the line comes from the site’s own files.';
	const path = place.path.filter((step) => typeof step === 'string').join('.');
	return ` It comes from ${path} in line ${place.line} of the policy file.`;
}
