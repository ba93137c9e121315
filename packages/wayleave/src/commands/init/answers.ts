import { isIP } from 'node:net';
import { withScheme } from '@wayleave/io/typed-address';
import { parseUrl } from '@wayleave/protocols/url';

/** Replies to the questions, or values of flags. */
export interface Answers {
	readonly origin: string;
	/** The audience of the site; other suggestions depend on it. */
	readonly preset: Preset;
	/** May search engines list the pages? */
	readonly searchEngines: 'yes' | 'no';
	/** May assistants read pages and summarise them for people? */
	readonly assistants: 'yes' | 'no';
	readonly train: 'no' | 'ask' | 'yes';
	readonly store: 'session-only' | 'no' | 'yes';
	readonly attribution: 'required' | 'preferred' | 'none';
	/** Requests a minute; undefined: no limit. */
	readonly rate: number | undefined;
	/** Paths that no agent may fetch. */
	readonly disallow: readonly string[];
	/** Whether a gateway answers for pages in a cheaper form. */
	readonly som: 'yes' | 'no';
	/** Whether a manifest says what has changed (pagedigest). */
	readonly manifest: 'yes' | 'no';
	/** Addresses and ranges of reverse proxies in front of the gateway. */
	readonly trustedProxies: readonly string[];
	/** Address for reports of violations; empty for none. */
	readonly reportTo: string;
}

export type Preset = 'search' | 'agent' | 'training';

const presets = ['search', 'agent', 'training'] as const satisfies readonly Preset[];

const common = {
	rate: undefined,
	searchEngines: 'yes',
	disallow: [],
	som: 'no',
	manifest: 'yes',
	trustedProxies: [],
	reportTo: '',
} as const;

/** Values used without asking. */
export const presetAnswers: { readonly [Name in Preset]: Omit<Answers, 'origin'> } = {
	// Search engines may list it; no other agent may read it.
	search: { ...common, preset: 'search', assistants: 'no', train: 'no', store: 'no', attribution: 'required' },
	// Read by assistants for the people who ask them.
	agent: { ...common, preset: 'agent', assistants: 'yes', train: 'no', store: 'session-only', attribution: 'required' },
	// Open to training and corpora too.
	training: { ...common, preset: 'training', assistants: 'yes', train: 'yes', store: 'yes', attribution: 'preferred' },
};

export const defaultAnswers = presetAnswers.agent;

interface Question {
	readonly text: string;
	/** The values there are; without them `check` says what is wrong. */
	readonly values?: readonly string[];
	readonly check?: (text: string) => string | undefined;
}

export const questions: { readonly [Name in keyof Answers]: Question } = {
	origin: { text: 'The URL of the site', check: checkOrigin },
	preset: {
		text: 'Who may use the site: search engines only, also assistants that read for people, or also model training?',
		values: presets,
	},
	searchEngines: { text: 'May search engines list the pages?', values: ['yes', 'no'] },
	assistants: { text: 'May AI assistants read and summarise pages for people?', values: ['yes', 'no'] },
	train: { text: 'May models be trained on the pages?', values: ['no', 'ask', 'yes'] },
	store: { text: 'May agents keep copies beyond a session?', values: ['session-only', 'no', 'yes'] },
	attribution: { text: 'Must agents name the source?', values: ['required', 'preferred', 'none'] },
	rate: { text: 'How many requests a minute may one client make (empty: no limit)?', check: checkRate },
	disallow: { text: 'Paths that no agent may fetch, separated by commas', check: checkPaths },
	som: { text: 'Will a gateway serve pages in a form with fewer tokens (SOM)?', values: ['yes', 'no'] },
	manifest: { text: 'Publish a manifest that lists which pages changed (pagedigest)?', values: ['yes', 'no'] },
	trustedProxies: {
		text: 'Addresses or ranges of reverse proxies in front of the gateway, separated by commas (may be empty)',
		check: checkProxies,
	},
	reportTo: { text: 'Where may violations be reported (an e-mail address or URL; may be empty)?', check: checkReport },
};

export const questionNames = Object.keys(questions) as (keyof Answers)[];

/** The fault of a reply; undefined if it is valid. */
export function checkAnswer(name: keyof Answers, text: string): string | undefined {
	const { values, check } = questions[name];
	if (values !== undefined) return values.includes(text) ? undefined : `one of ${values.join(', ')}`;
	return check?.(text);
}

/** Puts texts that were checked together. */
export function readAnswers(texts: Readonly<Record<keyof Answers, string>>): Answers {
	const { rate, disallow, trustedProxies, origin, ...rest } = texts;
	return {
		...(rest as Omit<Answers, 'rate' | 'disallow' | 'trustedProxies' | 'origin'>),
		origin: new URL(withScheme(origin)).origin,
		rate: rate === '' ? undefined : Number(rate),
		disallow: listed(disallow),
		trustedProxies: listed(trustedProxies),
	};
}

function checkOrigin(text: string): string | undefined {
	const address = withScheme(text);
	const isWeb = text !== '' && /^https?:$/.test(parseUrl(address)?.protocol ?? '');
	return isWeb ? undefined : 'a URL such as https://example.com';
}

function checkRate(text: string): string | undefined {
	return /^(?:[1-9]\d{0,5})?$/.test(text) ? undefined : 'a whole number, 1 or more, or nothing';
}

function checkPaths(text: string): string | undefined {
	return listed(text).every((path) => /^\/[^\s#]*$/.test(path)) ? undefined : 'paths that begin with /';
}

/** `10.0.0.0/8`, `::1`. */
function checkProxies(text: string): string | undefined {
	const isRange = (entry: string) => {
		const [address = '', bits] = entry.split('/');
		const most = isIP(address) === 4 ? 32 : 128;
		return isIP(address) !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
	};
	return listed(text).every(isRange) ? undefined : 'addresses such as 10.0.0.1 or ranges such as 10.0.0.0/8';
}

function listed(text: string): string[] {
	const parts = text.split(',').map((part) => part.trim());
	return parts.filter((part) => part !== '');
}

function checkReport(text: string): string | undefined {
	return /^(?:|https?:\/\/\S+|mailto:\S+@\S+|[^\s@/:#]+@[^\s@/:#]+)$/.test(text)
		? undefined
		: 'an e-mail address or a URL';
}
