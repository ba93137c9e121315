import { expect, it } from 'vitest';
import { crawlAndKill } from '../testing/kill.ts';
import { seeded } from '../testing/random.ts';

it('10,000 pages, kill -9 at five random moments: none lost, none repeated', async () => {
	const pages = 10_000;
	const { lines, tally, site, killedAt, output } = await crawlAndKill(pages, 5, seeded(Date.now()), 'full');
	console.log(`killed after ${killedAt.join(', ')} requests: ${lines.length} lines, ${new Set(lines).size} different`);
	console.log(output.join('\n'));
	expect(lines.length).toBe(pages);
	expect(new Set(lines)).toEqual(new Set(Array.from({ length: pages }, (_, page) => site.url(page))));
	expect(tally).toMatchObject({ pending: 0, rows: [{ outcome: 'fetched', count: pages }] });
}, 1_800_000);
