import { expect, it } from 'vitest';
import type { Stats } from '../model/events.ts';
import { outcomes } from '../model/outcome.ts';
import { formatCrawlMetrics } from './format-metrics.ts';

const stats = {
	mode: 'new' as const,
	outcomes: { ...(Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Stats['outcomes']), fetched: 7 },
	done: 7,
	pending: 12,
	inFlight: 2,
	requests: 11,
	bytes: 4096,
	milliseconds: 1500,
	pagesPerSecond: 4.6,
	hosts: Array.from({ length: 300 }, (_, at) => ({
		host: `h${at}.test`,
		pending: at,
		inFlight: 0,
		delay: 2000,
		...(at % 2 === 0 && { waiting: { why: 'cooldown' as const, until: 10_000 + at } }),
	})),
};

it('counts outcomes, tells what hosts wait for, and stays bounded', () => {
	const text = formatCrawlMetrics(stats, 10_000);
	expect(text).toContain('wayleave_crawl_pages_total{outcome="fetched"} 7\n');
	expect(text).toContain('wayleave_crawl_pages_total{outcome="out-of-scope"} 0\n');
	expect(text).toContain('wayleave_crawl_hosts_waiting{why="cooldown"} 150\n');
	expect(text).toContain('wayleave_crawl_host_wait_seconds{host="h298.test"} 0.298\n');
	expect(text).not.toContain('host="h1.test"');
	expect(text.match(/host_pending\{/g)).toHaveLength(100);
	for (const line of text.trimEnd().split('\n'))
		expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{.*\})? -?\d+(?:\.\d+)?)$/);
});
