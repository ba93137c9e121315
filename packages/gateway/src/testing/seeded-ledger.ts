import { knownAgents } from '@wayleave/protocols/identity';
import type { Entry } from '../ledger/entry.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Referral } from '../ledger/referral.ts';

// A made-up ledger of 30 days, the same in each run: tests and pictures share it.

const day = 86_400_000;
const hour = 3_600_000;
export const seededDays = 30;

interface Visitor {
	readonly agent: string | null;
	readonly outcome: Entry['outcome'];
	/** Of 1,000 requests of all. */
	readonly share: number;
	/** Of 1,000 requests of this one: reads of the policy, of the manifest, SOM or Markdown, and broken rules. */
	readonly reads: number;
	readonly manifest: number;
	readonly cheap: number;
	readonly broken: number;
	/** Where its addresses begin. */
	readonly network: string;
	readonly isAssistant?: boolean;
}

const visitors: readonly Visitor[] = [
	{
		agent: 'GPTBot',
		outcome: 'verified',
		share: 210,
		reads: 6,
		manifest: 4,
		cheap: 330,
		broken: 0,
		network: '203.0.113',
	},
	{
		agent: 'Googlebot',
		outcome: 'verified',
		share: 190,
		reads: 8,
		manifest: 0,
		cheap: 0,
		broken: 0,
		network: '66.249.66',
	},
	{
		agent: 'ClaudeBot',
		outcome: 'verified',
		share: 150,
		reads: 9,
		manifest: 6,
		cheap: 480,
		broken: 0,
		network: '198.51.100',
	},
	{
		agent: 'Bytespider',
		outcome: 'unverified',
		share: 130,
		reads: 1,
		manifest: 0,
		cheap: 0,
		broken: 60,
		network: '192.0.2',
	},
	{
		agent: 'bingbot',
		outcome: 'verified',
		share: 80,
		reads: 7,
		manifest: 0,
		cheap: 0,
		broken: 0,
		network: '157.55.39',
	},
	{
		agent: 'PerplexityBot',
		outcome: 'verified',
		share: 55,
		reads: 5,
		manifest: 3,
		cheap: 250,
		broken: 4,
		network: '198.18.4',
	},
	{
		agent: 'ChatGPT-User',
		outcome: 'verified',
		share: 50,
		reads: 0,
		manifest: 0,
		cheap: 700,
		broken: 0,
		network: '203.0.114',
		isAssistant: true,
	},
	{
		agent: 'Amazonbot',
		outcome: 'unverified',
		share: 35,
		reads: 6,
		manifest: 0,
		cheap: 0,
		broken: 0,
		network: '198.19.7',
	},
	{
		agent: 'CCBot',
		outcome: 'unverified',
		share: 30,
		reads: 12,
		manifest: 5,
		cheap: 0,
		broken: 0,
		network: '198.19.8',
	},
	{
		agent: 'Claude-User',
		outcome: 'verified',
		share: 20,
		reads: 0,
		manifest: 0,
		cheap: 800,
		broken: 0,
		network: '198.51.101',
		isAssistant: true,
	},
	{ agent: 'Googlebot', outcome: 'spoofed', share: 18, reads: 0, manifest: 0, cheap: 0, broken: 0, network: '192.0.3' },
	{
		agent: 'meta-externalagent',
		outcome: 'unverified',
		share: 15,
		reads: 2,
		manifest: 0,
		cheap: 0,
		broken: 25,
		network: '198.20.1',
	},
	{ agent: null, outcome: 'unknown', share: 10, reads: 0, manifest: 0, cheap: 0, broken: 8, network: '192.0.4' },
	{
		agent: 'Applebot',
		outcome: 'verified',
		share: 7,
		reads: 10,
		manifest: 0,
		cheap: 100,
		broken: 0,
		network: '17.241.1',
	},
];

const topics = [
	'tides',
	'currents',
	'moorings',
	'weather',
	'pilotage',
	'dredging',
	'cargo',
	'ferries',
	'history',
	'jobs',
];
const years = [2022, 2023, 2024, 2025, 2026];

/** The same numbers in each run. */
function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return state / 2 ** 32;
	};
}

const pick = <Value>(from: readonly Value[], at: number): Value => from[Math.floor(at * from.length)] as Value;

function pageAt(luck: number): string {
	// Few pages are read most.
	const place = Math.floor(luck ** 3 * 600);
	if (place === 0) return '/';
	return `/${topics[place % topics.length]}/${years[place % years.length]}/report-${place}`;
}

const versions = ['2f0c61aa', '81d3be07', 'c4559e12'] as const;
/** When each version comes into force, in days after the beginning. */
const versionDays = [0, 11, 23] as const;
const versionAt = (age: number): number => versionDays.findLastIndex((from) => age >= from);

const rulesOf = (version: number): string =>
	['User-agent: *', 'Disallow: /members/', ...['Disallow: /drafts/', 'Disallow: /cargo/manifests/'].slice(0, version)]
		.concat('Disallow: /archive-all/', '')
		.join('\n');

interface Broken {
	readonly path: string;
	readonly line: number;
	readonly text: string;
	readonly reason: 'not-permitted' | 'ask-first';
}

const brokenRules: readonly Broken[] = [
	{ path: '/members/list-', line: 2, text: 'Disallow: /members/', reason: 'not-permitted' },
	{ path: '/members/minutes-', line: 2, text: 'Disallow: /members/', reason: 'not-permitted' },
	{ path: '/drafts/plan-', line: 3, text: 'Disallow: /drafts/', reason: 'not-permitted' },
	{ path: '/pilotage/charts/', line: 9, text: 'Train: ask', reason: 'ask-first' },
];

/** Made-up requests, as many as asked for, in the order of time; the last one before `until`. */
export function* seededEntries(count: number, until: number, origin = 'https://harbour.example'): Generator<Entry> {
	const random = seeded(20_26);
	const since = until - seededDays * day;
	for (let index = 0; index < count; index++) {
		// Evenly over the days, more by day than by night, and more from week to week.
		const even = (index + random()) / count;
		const at = Math.min(until - 1, Math.floor(since + byDay(even ** 0.85 * seededDays) * day));
		yield entryAt(visitorOf(random() * 1000, at), at, (at - since) / day, random, origin);
	}
}

/** Days, with more of each day around its middle. */
function byDay(days: number): number {
	return days - 0.06 * Math.sin(2 * Math.PI * days);
}

function visitorOf(luck: number, at: number): Visitor {
	// One agent comes by night.
	const hourOfDay = (at / hour) % 24;
	let rest = hourOfDay > 6 && hourOfDay < 20 ? luck : (luck * 0.9 + 340) % 1000;
	for (const visitor of visitors) {
		rest -= visitor.share;
		if (rest < 0) return visitor;
	}
	return visitors[0] as Visitor;
}

function entryAt(visitor: Visitor, at: number, age: number, random: () => number, origin: string): Entry {
	const { agent, outcome, reads, manifest, cheap, broken, network } = visitor;
	const address = `${network}.${1 + Math.floor(random() * 40)}`;
	const version = versionAt(age);
	const inForce = versions[version] as string;
	const base: Entry = {
		at,
		client: outcome === 'verified' ? (agent ?? address) : address,
		agent,
		categories: knownAgents.find(({ token }) => token === agent)?.category ?? '',
		purpose: agent === null ? 'anonymous' : visitor.isAssistant === true ? 'assistant' : 'agent',
		outcome,
		evidence: evidenceOf(visitor, address),
		address,
		method: 'GET',
		path: pageAt(random()),
		action: 'pass',
		would: null,
		reason: null,
		status: 200,
		bytes: 18_000 + Math.floor(random() * 60_000),
		bytesSaved: 0,
		tokensSaved: 0,
		policy: reads > 0 ? (random() < 0.9 ? inForce : (versions[Math.max(0, version - 1)] as string)) : null,
		inForce,
		ruleSource: null,
		ruleLine: null,
		ruleText: null,
		violation: 0,
		excuse: null,
		early: random() < (broken > 20 ? 0.01 : 0) ? 1 : 0,
		asked: null,
		answer: null,
		revision: 1 + Math.floor(age / 9),
	};
	if (outcome === 'spoofed')
		return { ...base, action: 'deny', reason: 'spoofed', status: 403, bytes: 420, revision: null };
	return { ...base, ...actionOf(base, random() * 1000, { reads, manifest, cheap, broken }, random, origin) };
}

function actionOf(
	base: Entry,
	luck: number,
	{ reads, manifest, cheap, broken }: Pick<Visitor, 'reads' | 'manifest' | 'cheap' | 'broken'>,
	random: () => number,
	origin: string,
): Partial<Entry> {
	let rest = luck - reads;
	if (rest < 0) return { action: 'file', path: '/robots.txt', bytes: 640, revision: null };
	rest -= manifest;
	if (rest < 0) return { action: 'file', path: '/.well-known/pagedigest.json', bytes: 9_400, revision: null };
	rest -= broken;
	if (rest < 0) return brokenEntry(base, random, origin);
	rest -= cheap;
	if (rest < 0) {
		const bytes = Math.floor(base.bytes * 0.18);
		const action = random() < 0.7 ? 'som' : 'represent';
		const path = action === 'som' ? `/v1/som?url=${encodeURIComponent(origin + base.path)}` : base.path;
		return { action, path, bytes, bytesSaved: base.bytes - bytes, tokensSaved: Math.floor((base.bytes - bytes) / 5) };
	}
	rest -= 2;
	if (rest < 0 && base.outcome !== 'unknown') {
		const answer = random() < 0.6 ? 'allow' : 'deny';
		return {
			action: 'ask',
			method: 'POST',
			path: '/.well-known/ask',
			bytes: 180,
			asked: 'train',
			answer,
			revision: null,
		};
	}
	rest -= 12;
	return rest < 0 ? { status: 404, bytes: 900, revision: null } : {};
}

function brokenEntry(base: Entry, random: () => number, origin: string): Partial<Entry> {
	const denied = { status: 403, bytes: 420, violation: 1, revision: null } as const;
	if (random() < 0.08) return { ...denied, action: 'honeypot', path: '/archive-all/index' };
	const { path, line, text, reason } = pick(brokenRules, random());
	const isExcused = random() < 0.05;
	return {
		...denied,
		action: 'deny',
		reason,
		path: `${path}${Math.floor(random() * 90)}`,
		ruleSource: `${origin}/${reason === 'ask-first' ? 'robots2.txt' : 'robots.txt'}`,
		ruleLine: line,
		ruleText: text,
		violation: isExcused ? 0 : 1,
		excuse: isExcused ? 'policy-changed' : null,
		policy: base.policy ?? base.inForce,
	};
}

function evidenceOf({ agent, outcome, network }: Visitor, address: string): string {
	if (outcome === 'spoofed') {
		const dns = { method: 'reverse-dns', outcome: 'mismatch', names: ['vps-9.hosting.example'] };
		return JSON.stringify({ reason: 'reverse-dns-mismatch', address, claimed: claimedBy(agent), checks: [dns] });
	}
	const list = `https://ranges.example/${agent}.json`;
	const reasons = { verified: 'listed', unverified: 'no-method', unknown: 'anonymous' } as const;
	const checks =
		outcome === 'verified' ? [{ method: 'ranges', result: 'listed', list, prefix: `${network}.0/24` }] : [];
	return JSON.stringify({ reason: reasons[outcome], address, claimed: claimedBy(agent), checks });
}

const claimedBy = (agent: string | null) =>
	agent === null ? {} : { userAgent: `Mozilla/5.0 (compatible; ${agent}/1.0)` };

/** People whom assistants sent in the same 30 days. */
export function* seededReferrals(until: number): Generator<Referral> {
	const random = seeded(7);
	const assistants = ['ChatGPT', 'ChatGPT', 'ChatGPT', 'Perplexity', 'Gemini', 'Copilot', 'Claude'];
	for (let age = 0; age < seededDays; age++)
		for (let visit = 0; visit < 30 + 2 * (seededDays - age); visit++)
			yield {
				at: Math.floor((until - age * day) / day) * day,
				path: pageAt(random() * 0.5),
				assistant: pick(assistants, random()),
			};
}

/** Writes the made-up ledger: requests, people from assistants, and three versions of the policy. */
export async function seedLedger(ledger: Ledger, count: number, until: number): Promise<void> {
	let waiting = 0;
	for (const entry of seededEntries(count, until)) {
		ledger.record(entry);
		if (++waiting % 20_000 === 0) await ledger.flush();
	}
	for (const referral of seededReferrals(until)) ledger.recordReferral?.(referral);
	await ledger.flush();
	const since = until - seededDays * day;
	const policies = versions.map((version, at) => ({
		version,
		since: since + (versionDays[at] ?? 0) * day,
		robots: rulesOf(at),
		robots2: 'Policy-Version: 1\nTrain: ask\n',
	}));
	await ledger.db.insertInto('gateway_policy').values(policies).execute();
}
