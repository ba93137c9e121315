import { expect, it } from 'vitest';
import { crawlAndKill } from '../testing/kill.ts';
import { seeded } from '../testing/random.ts';

it('CB-128 CB-129 memory is flat from 1,000 to 10,000 pages', async () => {
	const { lines, output } = await crawlAndKill(10_000, 0, seeded(1), 'full');
	console.log(output.join('\n'));
	const weights = output.map((line) => JSON.parse(line) as { pages?: number; rss: number });
	const at = (pages: number) => weights.find((weight) => weight.pages === pages)!.rss;
	expect(new Set(lines).size).toBe(10_000);
	expect(at(10_000)).toBeLessThan(at(1000) + 60);
	expect(at(10_000)).toBeLessThan(300);
}, 1_800_000);
