import { expect, it } from 'vitest';
import { crawlAndKill } from '../testing/kill.ts';
import { seeded } from '../testing/random.ts';

it('CB-115 CB-121 kill -9 and resume: every page once, in the store and in the file', async () => {
	const pages = 400;
	const { lines, tally, site, killedAt } = await crawlAndKill(pages, 2, seeded(7), 'simple');
	console.log(`killed after ${killedAt.join(', ')} requests: ${lines.length} lines, ${new Set(lines).size} different`);
	expect(lines.length).toBe(pages);
	expect(new Set(lines)).toEqual(new Set(Array.from({ length: pages }, (_, page) => site.url(page))));
	expect(tally.pending).toBe(0);
	expect(tally.rows).toMatchObject([{ outcome: 'fetched', count: pages }]);
}, 120_000);
