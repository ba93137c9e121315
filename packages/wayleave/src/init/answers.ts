import { parseUrl } from '@wayleave/protocols/url';
import { withScheme } from '../options/seeds.ts';

/** What a person was asked, or said by flags. */
export interface Answers {
	readonly origin: string;
	/** May assistants read pages and summarise them for people? */
	readonly assistants: 'yes' | 'no';
	readonly train: 'no' | 'ask' | 'yes';
	readonly store: 'session-only' | 'no' | 'yes';
	readonly attribution: 'required' | 'preferred' | 'none';
	/** Requests a minute. */
	readonly rate: number;
	/** Paths that nobody is to fetch. */
	readonly disallow: readonly string[];
	/** Whether a gateway answers for pages in a cheaper form. */
	readonly som: 'yes' | 'no';
	/** Where violations may be reported; empty: nowhere. */
	readonly reportTo: string;
}

/** What holds where nobody is asked. */
export const defaultAnswers: Omit<Answers, 'origin'> = {
	assistants: 'yes',
	train: 'no',
	store: 'session-only',
	attribution: 'required',
	rate: 30,
	disallow: [],
	som: 'no',
	reportTo: '',
};

interface Question {
	readonly text: string;
	/** The values there are; without them `check` says what is wrong. */
	readonly values?: readonly string[];
	readonly check?: (text: string) => string | undefined;
}

export const questions: { readonly [Name in keyof Answers]: Question } = {
	origin: { text: 'The address of the site', check: checkOrigin },
	assistants: { text: 'May AI assistants read pages and summarise them for people?', values: ['yes', 'no'] },
	train: { text: 'May models be trained on the pages?', values: ['no', 'ask', 'yes'] },
	store: { text: 'May agents keep copies beyond a session?', values: ['session-only', 'no', 'yes'] },
	attribution: { text: 'Must agents name the source?', values: ['required', 'preferred', 'none'] },
	rate: { text: 'How many requests a minute are welcome?', check: checkRate },
	disallow: { text: 'Paths that no agent may fetch, separated by commas', check: checkPaths },
	som: { text: 'Will a gateway serve pages in a cheaper form (SOM)?', values: ['yes', 'no'] },
	reportTo: { text: 'Where may violations be reported (an e-mail address or URL; may be empty)?', check: checkReport },
};

export const questionNames = Object.keys(questions) as (keyof Answers)[];

/** What is wrong with an answer; undefined when it will do. */
export function checkAnswer(name: keyof Answers, text: string): string | undefined {
	const { values, check } = questions[name];
	if (values !== undefined) return values.includes(text) ? undefined : `one of ${values.join(', ')}`;
	return check?.(text);
}

/** Puts texts that were checked together. */
export function readAnswers(texts: Readonly<Record<keyof Answers, string>>): Answers {
	const { rate, disallow, origin, ...rest } = texts;
	return {
		...(rest as Omit<Answers, 'rate' | 'disallow' | 'origin'>),
		origin: new URL(withScheme(origin)).origin,
		rate: Number(rate),
		disallow: paths(disallow),
	};
}

function checkOrigin(text: string): string | undefined {
	const address = withScheme(text);
	const isWeb = text !== '' && /^https?:$/.test(parseUrl(address)?.protocol ?? '');
	return isWeb ? undefined : 'an address such as https://example.com';
}

function checkRate(text: string): string | undefined {
	return /^[1-9]\d{0,5}$/.test(text) ? undefined : 'a whole number, 1 or more';
}

function checkPaths(text: string): string | undefined {
	return paths(text).every((path) => /^\/[^\s#]*$/.test(path)) ? undefined : 'paths that begin with /';
}

function paths(text: string): string[] {
	const parts = text.split(',').map((part) => part.trim());
	return parts.filter((part) => part !== '');
}

function checkReport(text: string): string | undefined {
	return /^(?:|https?:\/\/\S+|mailto:\S+@\S+|[^\s@/:#]+@[^\s@/:#]+)$/.test(text)
		? undefined
		: 'an e-mail address or a URL';
}
