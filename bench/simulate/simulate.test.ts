import { expect, it } from 'vitest';
import { usual } from './distributions.ts';
import { type SimulationOptions, simulate } from './simulation.ts';

// Smaller hosts than in `npm run simulate`, so that the last of them does not take most of the time.
const shape = { ...usual, hostSize: { exponent: 1.8, most: 60 } };
const run = (options: Partial<SimulationOptions>) => simulate({ urls: 400, workers: 3, seed: 1, shape, ...options });

/** Calls of the store and jumps of the clock for each URL, without those of workers that look for hosts in vain. */
function stepsPerUrl({ calls, urls }: Awaited<ReturnType<typeof run>>): number {
	return (calls.commits + calls.links + calls.claims - calls.emptyClaims + calls.writes) / urls;
}

it('every URL once and no delay broken; the scheduler alone takes as long as the whole engine', async () => {
	const times: number[] = [];
	for (const engine of ['whole', 'scheduler'] as const) {
		const { lost, doubled, seen, endings, seconds } = await run({ engine });
		times.push(seconds);
		expect({ lost, doubled, early: seen.early, overlapping: seen.overlapping }).toEqual({
			...{ lost: 0, doubled: 0, early: 0, overlapping: 0 },
		});
		expect(endings.get('fetched')).toBeGreaterThan(350);
		expect(seen.failures).toBeGreaterThan(0);
	}
	const [whole = 0, alone = 0] = times;
	expect(alone / whole).toBeGreaterThan(0.8);
	expect(alone / whole).toBeLessThan(1.25);
});

it('a URL takes as many steps among 6,000 as among 3,000', async () => {
	const [n, twice] = [
		await run({ engine: 'scheduler', urls: 3000, workers: 5 }),
		await run({ engine: 'scheduler', urls: 6000, workers: 5 }),
	];
	expect(stepsPerUrl(twice) / stepsPerUrl(n)).toBeLessThan(1.1);
	expect(twice.lost + twice.doubled + twice.seen.early).toBe(0);
});

it('pages that rarely change are looked at less often, day by day', async () => {
	const days = 12;
	const { seen, urls } = await run({ urls: 150, workers: 1, cycles: days });
	// All of them every day would be `days` requests for each.
	expect((seen.requests - seen.policyFiles) / urls).toBeLessThan(days * 0.75);
	expect(seen.notModified).toBeGreaterThan(0);
	expect(seen.changed).toBeGreaterThan(0);
});
