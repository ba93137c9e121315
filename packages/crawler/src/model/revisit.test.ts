import { describe, expect, it } from 'vitest';
import { seeded } from '../testing/random.ts';
import { afterCheck, changeRate, defaultRevisit, type History, urgency } from './revisit.ts';

const hour = 3600_000;
const day = 24 * hour;

describe('the rate of change', () => {
	it('is 0 while nothing was seen, and finite when every look saw a change', () => {
		expect(changeRate({ visits: 0, changes: 0, span: 0 })).toBe(0);
		expect(changeRate({ visits: 5, changes: 0, span: 5 * day })).toBeCloseTo(0, 12);
		expect(changeRate({ visits: 5, changes: 5, span: 5 * day }) * day).toBeCloseTo(-Math.log(0.5 / 5.5), 9);
	});

	it('of pages whose rate is known comes out right on average, where counting changes falls short', () => {
		// A page that changes as a Poisson process, 0.2 to 2 times between two looks; 40 looks each; 2,000 pages.
		const random = seeded(7);
		for (const rate of [0.2, 0.5, 1, 2]) {
			const looks = 40;
			let estimated = 0;
			let naive = 0;
			for (let page = 0; page < 2000; page++) {
				let changes = 0;
				for (let look = 0; look < looks; look++) if (random() < 1 - Math.exp(-rate)) changes++;
				estimated += changeRate({ visits: looks, changes, span: looks }) / 2000;
				naive += changes / looks / 2000;
			}
			expect(Math.abs(estimated - rate) / rate).toBeLessThan(0.05);
			expect(Math.abs(naive - rate) / rate).toBeGreaterThan(0.08);
		}
	});
});

describe('the time of the next look', () => {
	const rules = { first: 6 * hour, longest: 30 * day };
	/** Looks whenever one is due; `changed` says whether there is something new. */
	function follow(looks: number, changed: (look: number) => boolean): { history: History; spans: number[] } {
		let history = afterCheck(undefined, 0, true, rules);
		const spans: number[] = [];
		for (let look = 0; look < looks; look++) {
			const at = history.nextAt;
			spans.push(at - history.checkedAt);
			history = afterCheck(history, at, changed(look), rules);
		}
		return { history, spans };
	}

	it('moves away from a page that does not change, by twice at most, and not for ever', () => {
		const { spans } = follow(12, () => false);
		expect(spans.slice(0, 4).map((span) => span / hour)).toEqual([6, 12, 24, 48]);
		expect(Math.max(...spans)).toBe(30 * day);
	});

	it('stays at the shortest for a page that has changed at every look', () => {
		expect(new Set(follow(30, () => true).spans)).toEqual(new Set([6 * hour]));
	});

	it('comes back soon when a quiet page begins to change', () => {
		const { spans } = follow(60, (look) => look >= 12);
		expect(spans.at(-1)!).toBeLessThan(2 * day);
	});

	it('settles for a page that changes now and then about where half of the looks see a change', () => {
		const random = seeded(3);
		let now = 0;
		// Once in four days on average.
		let { history } = { history: afterCheck(undefined, 0, true, rules) };
		let seen = 0;
		const looks = 400;
		for (let look = 0; look < looks; look++) {
			const passed = history.nextAt - now;
			now = history.nextAt;
			const changed = random() < 1 - Math.exp(-passed / (4 * day));
			if (changed) seen++;
			history = afterCheck(history, now, changed, rules);
		}
		expect(seen / looks).toBeGreaterThan(0.35);
		expect(seen / looks).toBeLessThan(0.65);
	});
});

it('the urgency grows with time and with the rate, and no page starves', () => {
	const quiet = { visits: 10, changes: 0, span: 10 * day, checkedAt: 0, nextAt: day };
	const busy = { ...quiet, changes: 8 };
	expect(urgency(busy, day)).toBeGreaterThan(urgency(quiet, day));
	expect(urgency(quiet, 2 * day)).toBeGreaterThan(urgency(quiet, day));
	expect(urgency(quiet, defaultRevisit.longest)).toBeGreaterThan(0.9);
});
