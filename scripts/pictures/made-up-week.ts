import type { Entry } from '@wayleave/gateway';

const hour = 3_600_000;

interface Visitor {
	readonly agent: string | null;
	readonly outcome: Entry['outcome'];
	readonly address: string;
	/** Requests in the week. */
	readonly requests: number;
	/** Of 100 requests, how many are for the file of terms, in a cheap form, and against a rule. */
	readonly reads: number;
	readonly cheap: number;
	readonly broken: number;
}

const visitors: readonly Visitor[] = [
	{ agent: 'GPTBot', outcome: 'verified', address: '203.0.113.20', requests: 820, reads: 3, cheap: 40, broken: 0 },
	{ agent: 'ClaudeBot', outcome: 'verified', address: '198.51.100.7', requests: 610, reads: 4, cheap: 55, broken: 0 },
	{ agent: 'PerplexityBot', outcome: 'verified', address: '192.0.2.61', requests: 240, reads: 5, cheap: 30, broken: 0 },
	{ agent: 'ExampleBot', outcome: 'unverified', address: '203.0.113.99', requests: 190, reads: 0, cheap: 0, broken: 9 },
	{
		agent: 'SampleSpider',
		outcome: 'unverified',
		address: '198.51.100.180',
		requests: 95,
		reads: 1,
		cheap: 0,
		broken: 14,
	},
	{ agent: 'Googlebot', outcome: 'spoofed', address: '192.0.2.200', requests: 60, reads: 0, cheap: 0, broken: 0 },
];

/** The same numbers in each run. */
function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return state / 2 ** 32;
	};
}

/** A week of requests that ends at `until`: the same each time, by day more than by night. */
export function* madeUpWeek(until: number, policy: string): Generator<Entry> {
	const random = seeded(7);
	for (const visitor of visitors) {
		for (let count = 0; count < visitor.requests; count++) {
			// More by day than by night.
			const day = Math.floor(random() * 7);
			const time = 12 + 7 * (random() + random() + random() - 1.5);
			const at = Math.round(until - (day + 1) * 24 * hour + time * hour);
			yield entry(visitor, at, random() * 100, random(), policy);
		}
	}
}

function entry(visitor: Visitor, at: number, dice: number, pick: number, policy: string): Entry {
	const { agent, outcome, address, reads, cheap, broken } = visitor;
	const isRead = dice < reads;
	const isCheap = !isRead && dice < reads + cheap;
	const isBroken = !isRead && !isCheap && dice < reads + cheap + broken;
	const isDenied = isBroken || outcome === 'spoofed';
	const pages = ['/', '/reports/tides', '/reports/surge-2026', '/docs/install', '/docs/wiring', '/blog/seiche'];
	const page = pages[Math.floor(pick * pages.length)] ?? '/';
	return {
		at,
		client: address,
		agent,
		categories: 'ai-assistant',
		purpose: 'agent',
		outcome,
		evidence: JSON.stringify({ address, claimed: agent }),
		address,
		method: 'GET',
		path: isRead ? '/robots.txt' : isBroken ? `/members/${Math.floor(pick * 400)}` : page,
		action: isRead ? 'file' : isDenied ? 'deny' : isCheap ? 'som' : 'pass',
		would: null,
		reason: outcome === 'spoofed' ? 'spoofed' : isBroken ? 'not-permitted' : null,
		status: isDenied ? 403 : 200,
		bytes: isDenied ? 420 : isCheap ? 6_200 : 38_000,
		bytesSaved: isCheap ? 31_800 : 0,
		tokensSaved: isCheap ? 5_900 : 0,
		policy: reads > 0 ? policy : null,
		inForce: policy,
		ruleSource: isBroken ? 'https://harbour.example/robots.txt' : null,
		ruleLine: isBroken ? 3 : null,
		ruleText: isBroken ? 'Disallow: /members/' : null,
		violation: isBroken ? 1 : 0,
		excuse: null,
		early: 0,
		asked: null,
		answer: null,
		revision: null,
	};
}

/** Crawlers and assistants beside them, of which an operator may want fewer. */
export function* crawlers(until: number, policy: string): Generator<Entry> {
	const random = seeded(11);
	const paths = ['/reports/tides', '/reports/surge-2026', '/archive/1953', '/archive/1987', '/blog/seiche', '/'];
	const names = [
		['Bytespider', 'data-harvester', '198.51.100.31', 460],
		['CCBot', 'data-harvester', '198.51.100.32', 180],
		['Amazonbot', 'search-indexer', '198.51.100.33', 150],
		['PetalBot', 'search-indexer', '198.51.100.34', 90],
		['ChatGPT-User', 'ai-assistant', '198.51.100.35', 75],
	] as const;
	for (const [agent, categories, address, requests] of names) {
		const visitor: Visitor = { agent, outcome: 'unverified', address, requests, reads: 2, cheap: 0, broken: 0 };
		for (let count = 0; count < requests; count++) {
			const at = Math.round(until - random() * 7 * 24 * hour);
			const made = entry(visitor, at, random() * 100, random(), policy);
			const path = paths[Math.floor(random() ** 2 * paths.length)] ?? '/';
			const claimed = { userAgent: `Mozilla/5.0 (compatible; ${agent}/1.0)` };
			yield {
				...made,
				categories,
				purpose: agent === 'ChatGPT-User' ? 'assistant' : 'agent',
				path: made.action === 'file' ? made.path : path,
				evidence: JSON.stringify({ reason: 'not-checked', claimed }),
			};
		}
	}
}
