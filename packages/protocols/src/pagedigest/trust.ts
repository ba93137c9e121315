/**
 * How far a site's manifest is believed. `distrusted`: crawl as if there were none, and audit what is fetched anyway;
 * `doubtful`: believe and audit more; `neutral`: the beginning; `established`: audit less.
 */
export type TrustLevel = 'distrusted' | 'doubtful' | 'neutral' | 'established';

/** Faults of one URL; URLs without a record have the trust of the site. */
export interface UrlTrust {
	/** Mismatches and decreases since the record began. */
	readonly faults: number;
	/** Whether only a fault right after a publish is known, which may be a race between edges. */
	readonly transient: boolean;
	/** Matches since the last fault. */
	readonly matches: number;
}

/** A consumer's record of a publisher; plain data, to be stored between runs. */
export interface TrustState {
	readonly level: TrustLevel;
	/** Clean audit windows in a row. */
	readonly cleanWindows: number;
	/** Counts of the current window. */
	readonly window: { readonly matches: number; readonly faults: number };
	/** Signs of little use rather than dishonesty, in the current window. */
	readonly soft: number;
	readonly urls: Readonly<Record<string, UrlTrust>>;
}

export type TrustEvent =
	/** `fresh`: the manifest had a new `generated` or `site_rev` in this cycle. */
	| { readonly kind: 'mismatch'; readonly key: string; readonly fresh: boolean }
	| { readonly kind: 'match'; readonly key: string }
	| { readonly kind: 'inconclusive'; readonly key: string }
	| { readonly kind: 'rev-decreased'; readonly key: string }
	/** `site_rev` fell, or revisions fell widely. */
	| { readonly kind: 'site-anomaly' }
	/** A revision rose and the content had not changed, or the manifest is implausibly old. */
	| { readonly kind: 'soft-evidence' }
	/** An audit window, such as one cycle, ended. */
	| { readonly kind: 'window-end' };

export interface TrustRules {
	/** URLs with faults that make the whole site distrusted; 3 unless given. */
	readonly siteFaults: number;
	/** Matches after which a URL with repeated faults is believed again; 3 unless given. */
	readonly urlMatches: number;
	/** Clean windows in a row for one step up; 3 unless given. */
	readonly cleanWindows: number;
	/** Soft signs in a window from which the audit rate doubles; 10 unless given. */
	readonly softSigns: number;
}

const defaultRules: TrustRules = { siteFaults: 3, urlMatches: 3, cleanWindows: 3, softSigns: 10 };

/** Trust in a publisher of whom nothing is known (pagedigest §5.2.2: "begin with a neutral trust state"). */
export const initialTrust: TrustState = {
	level: 'neutral',
	cleanWindows: 0,
	window: { matches: 0, faults: 0 },
	soft: 0,
	urls: {},
};

/**
 * The state after an event (pagedigest §5.2.2): consequences stay at the smallest scope that the evidence supports,
 * a mismatch right after a publish counts only when it repeats, and clean windows restore trust step by step.
 */
export function reduceTrust(state: TrustState, event: TrustEvent, rules: Partial<TrustRules> = {}): TrustState {
	const all = { ...defaultRules, ...rules };
	switch (event.kind) {
		case 'inconclusive':
			return state;
		case 'match':
			return afterMatch(state, event.key, all);
		case 'mismatch':
			return afterFault(state, event.key, event.fresh, all);
		case 'rev-decreased':
			return afterFault(state, event.key, false, all);
		case 'site-anomaly':
			return { ...withFault(state), level: 'distrusted' };
		case 'soft-evidence':
			return { ...state, soft: state.soft + 1 };
		case 'window-end':
			return afterWindow(state, all);
	}
}

function afterMatch(state: TrustState, key: string, { urlMatches }: TrustRules): TrustState {
	const window = { ...state.window, matches: state.window.matches + 1 };
	const url = urlTrust(state, key);
	if (url === undefined) return { ...state, window };
	const matches = url.matches + 1;
	// A single fault is undone by a single match; repeated ones are not collapsed into one innocent event.
	const believed = matches >= (url.faults > 1 ? urlMatches : 1);
	const { [key]: _, ...others } = state.urls;
	return { ...state, window, urls: believed ? others : { ...others, [key]: { ...url, matches } } };
}

function afterFault(state: TrustState, key: string, fresh: boolean, rules: TrustRules): TrustState {
	const url = urlTrust(state, key);
	const faults = (url?.faults ?? 0) + 1;
	const transient = fresh && faults === 1;
	const urls = { ...state.urls, [key]: { faults, transient, matches: 0 } };
	if (transient) return { ...state, urls };
	const faulty = Object.values(urls).filter((known) => !known.transient).length;
	if (faulty < rules.siteFaults) return { ...withFault(state), level: lower(state.level, 'doubtful'), urls };
	// From here on the site as a whole answers for its URLs.
	return { ...withFault(state), level: 'distrusted', urls: {} };
}

function withFault(state: TrustState): TrustState {
	return { ...state, cleanWindows: 0, window: { ...state.window, faults: state.window.faults + 1 } };
}

function afterWindow(state: TrustState, rules: TrustRules): TrustState {
	const closed = { ...state, window: { matches: 0, faults: 0 }, soft: 0 };
	if (state.window.faults > 0) return { ...closed, cleanWindows: 0 };
	// A window without an audit shows nothing.
	if (state.window.matches === 0) return closed;
	const cleanWindows = state.cleanWindows + 1;
	if (cleanWindows < rules.cleanWindows) return { ...closed, cleanWindows };
	return { ...closed, cleanWindows: 0, level: levels[levels.indexOf(state.level) + 1] ?? 'established' };
}

const levels: readonly TrustLevel[] = ['distrusted', 'doubtful', 'neutral', 'established'];

function lower(a: TrustLevel, b: TrustLevel): TrustLevel {
	return levels.indexOf(a) < levels.indexOf(b) ? a : b;
}

function urlTrust(state: TrustState, key: string): UrlTrust | undefined {
	return Object.hasOwn(state.urls, key) ? state.urls[key] : undefined;
}

/** Whether the manifest may save the fetch of a URL: not on a distrusted site, and not after repeated faults of the URL. */
export function believes(state: TrustState, key: string): boolean {
	return state.level !== 'distrusted' && (urlTrust(state, key)?.faults ?? 0) < 2;
}

/** URLs whose audit is due again before anybody is blamed: their only fault came right after a publish. */
export function auditsDue(state: TrustState): string[] {
	return Object.keys(state.urls).filter((key) => urlTrust(state, key)?.faults === 1);
}

/** The share of skips to audit: `base` to begin with, half of it for an established publisher, five times for a doubtful one. */
export function auditRate(state: TrustState, base = 0.01, { softSigns }: Partial<TrustRules> = {}): number {
	const factor = state.level === 'neutral' ? 1 : state.level === 'established' ? 0.5 : 5;
	const soft = state.soft >= (softSigns ?? defaultRules.softSigns) ? 2 : 1;
	return Math.min(1, base * factor * soft);
}
