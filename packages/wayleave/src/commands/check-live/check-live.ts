import { type PoliteFetch, readHeadTags, self } from '@wayleave/crawler/check';
import type { Config } from '@wayleave/gateway';
import { sha256 } from '@wayleave/io/hash';
import {
	auditDigest,
	type Manifest,
	manifestPath,
	manifestRelation,
	parseManifest,
} from '@wayleave/protocols/pagedigest';
import { type HostPolicies, type PageSignals, preparePolicies, vocabularies } from '@wayleave/protocols/policy';
import { parseRobots } from '@wayleave/protocols/robots';
import { difference, type LiveDifference } from '../../shared/live-problems.ts';
import { compareRobots } from './compare-robots.ts';
import {
	compareVerdicts,
	sampleAgents,
	samplePaths,
	tellVerdicts,
	type VerdictDifference,
} from './compare-verdicts.ts';
import { type ExpectedPolicy, expectedPage } from './expected-policy.ts';
import { type LiveFile, livePolicies, loadPage, observePolicies, observeRobots } from './observe.ts';

export interface CheckLiveOptions {
	/** The page that is looked at. */
	readonly page: string;
	/** Agents to ask for beside those that the files name. */
	readonly agents: readonly string[];
	readonly manifest: boolean;
}

export interface LiveReport {
	readonly differences: readonly LiveDifference[];
	/** The checks that were made, and those that were not and why. */
	readonly notes: readonly string[];
	/** The terms as agents read them. */
	readonly policies: HostPolicies;
	readonly manifest: Manifest | undefined;
	readonly expected: ExpectedPolicy;
}

/**
 * Compares what the world sees of a site with what its policy file means.
 *
 * @param expectedFor the expected policy, given the robots.txt that is served
 */
export async function checkLive(
	config: Config,
	expectedFor: (served: LiveFile) => ExpectedPolicy,
	fetch: PoliteFetch,
	options: CheckLiveOptions,
): Promise<LiveReport> {
	const { origin } = config;
	const robots = await observeRobots(origin, fetch);
	const expected = expectedFor(robots);
	const live = await observePolicies(robots, origin, expected.verification !== undefined, fetch);
	const policies = livePolicies(live);
	const agents = sampleAgents([...expected.agents, ...agentsIn(live.robots), ...options.agents]);
	const paths = samplePaths([...expected.patterns, ...patternsIn(live.robots), new URL(options.page).pathname]);
	const verdicts = compareVerdicts(origin, expected, { policies }, agents, paths);
	const claims = new Claims(verdicts);
	const differences = [
		...compareRobotsFiles(expected, live.robots, claims),
		...compareText(live.robots2, expected.robots2, 'text/plain', claims),
		...live.vocabularies.flatMap(({ vocabulary: { name, file }, file: found }) => {
			const text = expected.signals.files.find(({ vocabulary }) => vocabulary.name === name)?.text;
			return compareText(found, text, file.mediaType, claims, name);
		}),
		...(live.verification === undefined
			? []
			: compareText(live.verification, expected.verification, 'text/plain', claims)),
		...claims.rest(),
	];
	const looked = [live.robots, live.robots2, ...live.vocabularies.map(({ file }) => file), live.verification];
	const notes = looked.flatMap((file) => (file === undefined ? [] : noteOf(file)));
	const mayFetch = (url: string) => preparePolicies(policies, self).decide('crawl', url).permitted;
	const manifestUrl = `${origin}${manifestPath}`;
	let manifest: Manifest | undefined;
	if (options.manifest && mayFetch(manifestUrl)) {
		const file = await loadPage(manifestUrl, fetch);
		notes.push(noteOf(file));
		manifest = file.status === 200 ? parseManifest(file.body).value : undefined;
		differences.push(...checkManifest(file));
	}
	if (!mayFetch(options.page))
		notes.push(`${options.page}: not checked, because the policy forbids AIWebIndex from fetching it`);
	else {
		const page = await loadPage(options.page, fetch);
		notes.push(noteOf(page));
		differences.push(...checkPage(page, expected, manifest, agents, options.manifest));
	}
	return { differences, notes: notes.filter((note) => note !== ''), policies, manifest, expected };
}

/** Verdict differences; each is reported once, with the line that causes it. */
class Claims {
	readonly #open: Set<VerdictDifference>;

	constructor(verdicts: readonly VerdictDifference[]) {
		this.#open = new Set(verdicts);
	}

	take(wanted: (verdict: VerdictDifference) => boolean): string[] {
		const taken = [...this.#open].filter(wanted);
		for (const verdict of taken) this.#open.delete(verdict);
		return tellVerdicts(taken);
	}

	/** Differences that no differing line explains, by the line that decides. */
	rest(): LiveDifference[] {
		const places = new Map<string, VerdictDifference[]>();
		for (const verdict of this.#open) {
			const { source = '', line = 0 } = verdict.found.because[0] ?? verdict.expected.because[0] ?? {};
			const place = `${line} ${source}`;
			places.set(place, [...(places.get(place) ?? []), verdict]);
		}
		return [...places].map(([place, verdicts]) => {
			const [line = '0', source = ''] = place.split(/ (.*)/s);
			return difference(source, 'live-verdict-differs', {}, Number(line), tellVerdicts(verdicts));
		});
	}
}

function compareRobotsFiles(expected: ExpectedPolicy, live: LiveFile, claims: Claims): LiveDifference[] {
	if (live.state !== 'present') return missing(live, claims, 'robots');
	const { lines, split } = compareRobots(expected.robots, live.text);
	const differences = lines.map(({ kind, agent, text, line }) => {
		const about = (verdict: VerdictDifference) =>
			kind === 'foreign'
				? verdict.found.because.some((each) => each.source === live.url && each.line === line)
				: verdict.expected.because.some((each) => each.mechanism !== 'robots2' && sameLine(each.text, text));
		const consequences = claims.take(about);
		if (kind === 'missing') return difference(live.url, 'live-missing-line', { agent, text }, 0, consequences);
		const found = difference(live.url, 'live-foreign-line', { agent, text }, line, consequences);
		return consequences.length > 0 ? found : { ...found, problem: { ...found.problem, severity: 'info' as const } };
	});
	const groups = split.map(({ agent, lines: starts }) =>
		difference(live.url, 'live-agent-split', { agent, count: starts.length, lines: starts.join(', ') }, starts[0]),
	);
	return [...wrongType(live, 'text/plain'), ...groups, ...differences];
}

function sameLine(a: string, b: string): boolean {
	const plain = (text: string) =>
		text
			.replace(/\s*#.*$/, '')
			.replace(/\s+/g, '')
			.toLowerCase();
	return plain(a) === plain(b);
}

/** Compares a file that is written as a whole. */
function compareText(
	live: LiveFile,
	expected: string | undefined,
	type: string,
	claims: Claims,
	mechanism = 'robots2',
): LiveDifference[] {
	if (expected === undefined) {
		if (live.state !== 'present') return [];
		const consequences = claims.take(({ found }) => found.because.some(({ source }) => source === live.url));
		return [difference(live.url, 'live-foreign-file', { status: live.status }, 0, consequences)];
	}
	const name = new URL(live.url).pathname;
	if (live.state !== 'present') return missing(live, claims, mechanism);
	const [wanted, found] = [linesOf(expected), linesOf(live.text)];
	const longer = wanted.length > found.length ? wanted : found;
	const at = longer.findIndex((_, index) => wanted[index]?.trimEnd() !== found[index]?.trimEnd());
	if (at === -1) return wrongType(live, type);
	const consequences = claims.take(({ expected: one, found: other }) =>
		[...one.because, ...other.because].some(({ source }) => source.endsWith(name)),
	);
	const args = { found: found[at] ?? 'nothing', wanted: wanted[at] ?? 'nothing' };
	return [...wrongType(live, type), difference(live.url, 'live-text-differs', args, at + 1, consequences)];
}

const linesOf = (text: string): string[] => text.trimEnd().split(/\r\n|\n|\r/);

function missing(live: LiveFile, claims: Claims, mechanism: string): LiveDifference[] {
	const consequences = claims.take(({ expected, found }) =>
		[...expected.because, ...found.because].some((each) => each.mechanism === mechanism || each.source === live.url),
	);
	if (live.status === 0) return [difference(live.url, 'live-unreachable', { detail: live.detail }, 0, consequences)];
	return [difference(live.url, 'live-missing-file', { status: live.status }, 0, consequences)];
}

function wrongType({ url, contentType }: LiveFile, wanted: string): LiveDifference[] {
	const type = contentType.replace(/;.*/s, '').trim().toLowerCase();
	return type === wanted ? [] : [difference(url, 'live-wrong-type', { type: type || 'nothing', wanted })];
}

/** Whether consumers can read and keep the manifest (pagedigest §2). */
function checkManifest(file: LiveFile): LiveDifference[] {
	const { url, status, headers } = file;
	if (status === 0) return [difference(url, 'live-unreachable', { detail: file.detail })];
	if (status !== 200) return [difference(url, 'live-missing-file', { status })];
	const { value, problems } = parseManifest(file.body);
	const code = problems.find(({ severity }) => severity === 'error')?.code;
	const caching = headers.get('cache-control') ?? '';
	return [
		...wrongType(file, 'application/json'),
		...(value === undefined ? [difference(url, 'live-manifest-invalid', { code: code ?? '' })] : []),
		...(/\b(?:no-store|private)\b/i.test(caching) ? [difference(url, 'live-not-cacheable', { found: caching })] : []),
		...(headers.has('etag') || headers.has('last-modified') ? [] : [difference(url, 'live-no-validator')]),
	];
}

/** The fetcher stops here. */
const readAtMost = 1024 * 1024;

const metaOf = new Map(
	vocabularies.flatMap(({ headers = [] }) => headers.map(({ field, meta = field }) => [field, meta])),
);

/** Checks the response of one page, and its bytes against the manifest. */
function checkPage(
	page: LiveFile,
	expected: ExpectedPolicy,
	manifest: Manifest | undefined,
	agents: ReturnType<typeof sampleAgents>,
	announced: boolean,
): LiveDifference[] {
	if (page.status === 0) return [difference(page.url, 'live-unreachable', { detail: page.detail })];
	if (page.status !== 200) return [difference(page.url, 'live-missing-file', { status: page.status })];
	const url = new URL(page.url);
	const tags = /\bx?html\b/i.test(page.contentType) ? readHeadTags(page.text, page.url) : { meta: [], licences: [] };
	const found: PageSignals = { source: page.url, headers: page.headers, ...tags };
	const wanted = expectedPage(expected, page.url);
	const verdicts = compareVerdicts(
		url.origin,
		{ policies: expected.policies, page: wanted },
		{ policies: expected.policies, page: found },
		agents,
		[url.pathname + url.search],
	);
	const inMeta = new Set(tags.meta.map(({ name }) => name.toLowerCase()));
	const absent = Object.entries(wanted.headers as Record<string, string>).filter(
		([name]) => !page.headers.has(name) && !inMeta.has(metaOf.get(name) ?? name),
	);
	const link = (page.headers.get('link') ?? '') + page.text;
	const entry = manifest?.entries.get(url.pathname + url.search);
	const audit =
		entry &&
		auditDigest(
			entry,
			{
				status: page.status,
				body: page.body,
				vary: page.headers.get('vary') ?? null,
				truncated: page.body.length >= readAtMost,
			},
			sha256,
		);
	return [
		...absent.map(([name, value]) => difference(page.url, 'live-header-missing', { name, wanted: value })),
		...new Claims(verdicts).rest(),
		...(announced && !link.includes(manifestRelation) ? [difference(page.url, 'live-not-announced')] : []),
		...(audit?.verdict === 'mismatch' ? [difference(page.url, 'live-digest-differs', { key: url.pathname })] : []),
	];
}

function noteOf({ url, status, detail, body }: LiveFile): string {
	return status === 0 ? `${url}: no response: ${detail}` : `${url}: ${status}, ${body.length} bytes`;
}

function agentsIn({ text }: LiveFile): string[] {
	return parseRobots(text).value.groups.flatMap(({ agents }) => agents.map(({ name }) => name));
}

function patternsIn({ text }: LiveFile): string[] {
	return parseRobots(text).value.groups.flatMap(({ rules }) => rules.map(({ pattern }) => pattern));
}
