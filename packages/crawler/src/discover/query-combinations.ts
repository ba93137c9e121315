/** Paths whose parameters are remembered, for each host. */
const rememberedPaths = 50;
/** Different lists of parameter names under one path: forums have ten, endless filters have all orders. */
const maxNameLists = 20;
/** Combinations of values after which their number is compared with the number of values. */
const fewCombinations = 500;
/** So many more combinations than values are only reached by combining everything with everything. */
const combinationsPerValue = 8;
/** More values than this are no filter settings but names of things. */
const maxValues = 300;

/** Values of a parameter that names a session, under one path: each is the same page again. */
const maxSessions = 20;
/** Names under which common servers and shops put a session id into the query. */
const sessionName =
	/^(?:sid|sess(?:ion)?_?(?:id)?|\w*sessid|j?session_?id|aspsessionid\w*|cfid|cftoken|zenid|osc?sid)$/i;

interface Parameters {
	readonly nameLists: Set<string>;
	/** By name; undefined once there are too many to be settings. */
	readonly values: Map<string, Set<string> | undefined>;
	readonly sessions: Set<string>;
	combinations: number;
}

/**
 * Recognises one page under ever new combinations of parameters. It counts the pages visited, each of which comes here
 * once: a catalogue with 20,000 article numbers goes through, twenty orders of the same filters do not.
 *
 * What it counted is lost with the process; a resumed crawl may visit a few combinations more.
 */
export class CombinationCounter {
	readonly #paths = new Map<string, Parameters>();

	/** Counts the visit of a URL; false when the URL belongs to a trap and is not to be visited. */
	admit(href: string): boolean {
		// A session may stand at the end of the path: /page;jsessionid=1A2B
		const url = new URL(
			href.replace(/;(j?sessionid=[^?#/]*)(\??)/i, (_, session, query) => `?${session}${query && '&'}`),
		);
		if (url.search.length < 2) return true;
		const pairs = [...url.searchParams];
		// `?1234` has no parameter: it names an article, as in forums.
		if (pairs.length === 1 && !url.search.includes('=')) return true;
		const known = this.#parametersOf(url.host + url.pathname);
		const names = pairs.map(([name]) => name).join('&');
		if (!known.nameLists.has(names) && known.nameLists.size >= maxNameLists) return false;
		if (!addSession(known.sessions, pairs)) return false;
		known.nameLists.add(names);
		if (pairs.length < 2) return true;
		if (isExplosion(known)) return false;
		known.combinations++;
		for (const [name, value] of pairs) addValue(known.values, name, value);
		return true;
	}

	#parametersOf(path: string): Parameters {
		const known = this.#paths.get(path) ?? {
			nameLists: new Set(),
			values: new Map(),
			sessions: new Set(),
			combinations: 0,
		};
		// Setting a key makes it the youngest; the one unused for longest leaves first.
		this.#paths.delete(path);
		this.#paths.set(path, known);
		const [oldest = path] = this.#paths.keys();
		if (this.#paths.size > rememberedPaths) this.#paths.delete(oldest);
		return known;
	}
}

function isExplosion({ combinations, values }: Parameters): boolean {
	if (combinations < fewCombinations) return false;
	let sum = 0;
	for (const set of values.values()) {
		if (set === undefined) return false;
		sum += set.size;
	}
	return combinations > combinationsPerValue * sum;
}

/** `article.php?sid=1234`: news systems number their stories so; no session is guessed as easily. */
const isArticleId = (name: string, value: string): boolean => /^sid$/i.test(name) && /^\d{1,8}$/.test(value);

function addSession(sessions: Set<string>, pairs: readonly (readonly [string, string])[]): boolean {
	const session = pairs.find(([name, value]) => sessionName.test(name) && !isArticleId(name, value))?.[1];
	if (session === undefined || sessions.has(session)) return true;
	if (sessions.size >= maxSessions) return false;
	sessions.add(session);
	return true;
}

function addValue(values: Parameters['values'], name: string, value: string): void {
	if (!values.has(name)) values.set(name, new Set());
	const set = values.get(name);
	if (set === undefined) return;
	set.add(value);
	if (set.size > maxValues) values.set(name, undefined);
}
