import { compilePathPattern, type PathMatcher } from '@wayleave/protocols/robots';
import { withoutRoute } from './routes.ts';

/** Address options of the user. Patterns are those of robots.txt; names may end with `*`. */
export interface AddressOptions {
	/** Follow only these. Default: all. */
	readonly include?: readonly string[];
	/** Skip these, even if `include` matches. */
	readonly exclude?: readonly string[];
	/** Parameters that do not change a page. */
	readonly ignoreParams?: readonly string[];
	/** Parameters that always count, even known tracking parameters and those that look like sessions. */
	readonly keepParams?: readonly string[];
}

/** Another address of a page. */
export interface Folded {
	/** The address that represents the page. */
	readonly url: string;
	/** The parts removed, for people. */
	readonly why: string;
}

/**
 * Tracking parameters of advertisers and newsletters; they never select a page. From the documentation of the services
 * that add them: Google, Meta, Microsoft, Yandex, Mailchimp, HubSpot, Matomo and others.
 */
const tracking = [
	...['utm_*', 'gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'gad_source', 'gad_campaignid', 'srsltid', '_ga', '_gl'],
	...['fbclid', 'mibextid', 'igshid', 'igsh', 'msclkid', 'twclid', 'ttclid', 'li_fat_id', 'epik', 'yclid', 'ysclid'],
	...['mc_eid', 'mc_cid', '_hsenc', '_hsmi', '__hssc', '__hstc', '__hsfp', 'hsctatracking', 'mkt_tok', '_openstat'],
	...['oly_anon_id', 'oly_enc_id', 'vero_id', 'vero_conv', 'wickedid', 's_kwcid', 'ef_id', 'rb_clickid', 'irclickid'],
	...['pk_campaign', 'pk_kwd', 'pk_source', 'pk_medium', 'piwik_*', 'mtm_*', 'matomo_*', '_branch_match_id'],
];

/** Names that only sessions have, regardless of the value. */
const surelySession = /^(?:phpsessid|j?sessionid|aspsessionid\w*|cftoken|zenid|osc?sid)$/i;
/** Names of sessions that also have other meanings, such as story ids of news systems. */
const maybeSession = /^(?:s|sid|sess|sess(?:ion)?_?id|\w*sessid)$/i;
/** A run of at least 16 letters and digits, as in session ids. */
const sessionValue = /^(?=[^\d]*\d)(?=.*[a-z])[\w,-]{16,}$/i;
/** `/page;jsessionid=1A2B` */
const pathSession = /;(?:j?sessionid|phpsessid|sid)=[^/?#;]*/gi;

/** Decides which addresses are requested, and which are only other addresses of the same page. It learns nothing. */
export class AddressRules {
	/** Identifies the options, to compare them with those of another run; empty without options. */
	readonly key: string;
	readonly #include: readonly PathMatcher[];
	readonly #exclude: readonly PathMatcher[];
	readonly #ignored: NameMatcher;
	readonly #tracking: NameMatcher;
	readonly #kept: NameMatcher;

	constructor({ include = [], exclude = [], ignoreParams = [], keepParams = [] }: AddressOptions = {}) {
		this.#include = include.map(compilePattern);
		this.#exclude = exclude.map(compilePattern);
		this.#ignored = matchNames(ignoreParams);
		this.#tracking = matchNames(tracking);
		this.#kept = matchNames(keepParams);
		const options = { include, exclude, ignoreParams, keepParams };
		const given = Object.entries(options).filter(([, values]) => values.length > 0);
		this.key =
			given.length === 0
				? ''
				: JSON.stringify(Object.fromEntries(given.map(([name, values]) => [name, [...values].sort()])));
	}

	/** Whether the user excludes the address. */
	excludes(url: string): boolean {
		if (this.#include.length > 0 && !this.#include.some((matches) => matches(url))) return true;
		return this.#exclude.some((matches) => matches(url));
	}

	/** Whether the user wants a parameter to count. */
	keeps(name: string): boolean {
		return this.#kept(name);
	}

	/** The address under which the page is requested; undefined if it is this one. */
	fold(url: string): Folded | undefined {
		const at = url.indexOf('#');
		if (at < 0) return this.#foldPart(url);
		// A route has parameters of its own.
		const [page, route] = [url.slice(0, at), url.slice(at)];
		const folded = [this.#foldPart(page), this.#foldPart(route)];
		const why = folded.flatMap((each) => each?.why ?? []);
		if (why.length === 0) return undefined;
		return { url: (folded[0]?.url ?? page) + (folded[1]?.url ?? route), why: why.join(', ') };
	}

	#foldPart(url: string): Folded | undefined {
		const query = url.indexOf('?');
		if (query < 0 && !url.includes(';')) return undefined;
		const path = query < 0 ? url : url.slice(0, query);
		const bare = this.#kept('jsessionid') ? path : path.replace(pathSession, '');
		const why: string[] = bare === path ? [] : ['a session id'];
		const pairs = query < 0 ? [] : url.slice(query + 1).split('&');
		const rest = pairs.filter((pair) => {
			const leaves = this.#reasonToLeaveOut(pair);
			if (leaves !== undefined) why.push(leaves);
			return leaves === undefined;
		});
		const search = rest.join('&');
		if (query === url.length - 1) why.push('an empty query');
		if (why.length === 0) return undefined;
		return { url: search === '' ? bare : `${bare}?${search}`, why: `without ${[...new Set(why)].join(', ')}` };
	}

	#reasonToLeaveOut(pair: string): string | undefined {
		const [written = '', ...values] = pair.split('=');
		const name = decoded(written);
		if (name === '' || this.#kept(name)) return undefined;
		if (this.#ignored(name) || this.#tracking(name.toLowerCase())) return name;
		const isSession = surelySession.test(name)
			? values.length > 0
			: maybeSession.test(name) && sessionValue.test(decoded(values.join('=')));
		return isSession ? name : undefined;
	}
}

/** A pattern with a `#` is compared with the route too; for all others a route belongs to its page. */
function compilePattern(pattern: string): PathMatcher {
	if (!pattern.includes('#')) {
		const matches = compilePathPattern(pattern);
		return (url) => matches(withoutRoute(url));
	}
	const matches = compilePathPattern(pattern.replaceAll('#', '%23'));
	return (url) => matches(url.replaceAll('#', '%23'));
}

type NameMatcher = (name: string) => boolean;

/** Whether a name is in the list, or begins like an entry that ends with `*`. */
function matchNames(patterns: readonly string[]): NameMatcher {
	const names = new Set(patterns);
	const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
	return (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

/** Decodes form encoding; text with an invalid escape stays as it is. */
export function decoded(text: string): string {
	try {
		return decodeURIComponent(text.replaceAll('+', ' '));
	} catch {
		return text;
	}
}

/** The options that differ from those of another run; for people. */
export function changedRules(before: string, now: string): string[] {
	const read = (key: string): Record<string, readonly string[]> => (key === '' ? {} : JSON.parse(key));
	const [was, is] = [read(before), read(now)];
	const flags = {
		include: '--include',
		exclude: '--exclude',
		ignoreParams: '--ignore-params',
		keepParams: '--keep-params',
	};
	return Object.entries(flags).flatMap(([name, flag]) => {
		const gone = (was[name] ?? []).filter((value) => !is[name]?.includes(value));
		const added = (is[name] ?? []).filter((value) => !was[name]?.includes(value));
		return [
			...(gone.length > 0 ? [`${flag} ${gone.join(' ')} no longer holds`] : []),
			...(added.length > 0 && before !== '' ? [`${flag} ${added.join(' ')} is new`] : []),
		];
	});
}
