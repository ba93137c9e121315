import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	type Coverage,
	compareManifests,
	coverageTest,
	describeKey,
	finishPlan,
	type KnownRevisions,
	type Manifest,
	type PlannedOutcome,
} from './index.ts';

const manifest = (siteRev: number, revs: Record<string, number>, coverage?: Coverage): Manifest => ({
	version: 1,
	generated: '2026-04-17T12:00:00Z',
	siteRev,
	...(coverage && { coverage }),
	entries: new Map(Object.entries(revs).map(([key, rev]) => [key, { rev }])),
});
const complete = { mode: 'complete' } as const;
const keys = (list: readonly { key: string }[]) => list.map(({ key }) => key);

describe('compareManifests, pagedigest §5.1', () => {
	it('PD-29 an equal site_rev plans no fetch', () => {
		const plan = compareManifests(
			manifest(10, { '/': 3, '/about': 1 }),
			manifest(10, { '/': 3, '/about': 1 }, complete),
		);
		expect(plan).toMatchObject({ fetch: [], unchanged: ['/', '/about'], gone: [], anomalies: [], fallback: 'none' });
	});

	it('PD-30 PD-31 PD-32 a greater rev and a new URL are fetched, an equal rev is not', () => {
		const plan = compareManifests(manifest(10, { '/a': 1, '/b': 1 }), manifest(11, { '/a': 2, '/b': 1, '/c': 9 }));
		expect(plan.fetch).toEqual([
			{ key: '/a', reason: 'changed', rev: 2, knownRev: 1 },
			{ key: '/c', reason: 'new', rev: 9 },
		]);
		expect(plan.unchanged).toEqual(['/b']);
	});

	it('PD-34 a lower site_rev voids the manifest for the whole site', () => {
		const plan = compareManifests(manifest(10, { '/': 3 }), manifest(9, { '/': 4 }, complete));
		expect(plan).toEqual({
			fetch: [],
			unchanged: [],
			gone: [],
			undescribed: [],
			anomalies: [{ kind: 'site-rev-decreased', before: 10, after: 9 }],
			fallback: 'site',
		});
	});

	it('PD-35 a lower rev is an anomaly of that URL alone', () => {
		const plan = compareManifests(
			manifest(10, { '/a': 5, '/b': 1, '/c': 1 }),
			manifest(11, { '/a': 4, '/b': 1, '/c': 1 }),
		);
		expect(plan.fetch).toEqual([{ key: '/a', reason: 'decreased', rev: 4, knownRev: 5 }]);
		expect(plan.unchanged).toEqual(['/b', '/c']);
		expect(plan.fallback).toBe('urls');
		expect(plan.anomalies).toEqual([{ kind: 'rev-decreased', key: '/a', before: 5, after: 4 }]);
	});

	it('AMB-93 widespread decreases void it for the whole site', () => {
		const before = manifest(10, { '/a': 5, '/b': 5, '/c': 5 });
		expect(compareManifests(before, manifest(11, { '/a': 4, '/b': 4, '/c': 5 })).fallback).toBe('site');
		expect(
			compareManifests(before, manifest(11, { '/a': 4, '/b': 4, '/c': 5 }), { maxDecreasedShare: 0.7 }).fallback,
		).toBe('urls');
		expect(compareManifests(manifest(10, { '/a': 5 }), manifest(11, { '/a': 4 })).fallback).toBe('urls');
	});

	it('PD-36 PD-37 omission means removal under complete coverage only', () => {
		const before = manifest(10, { '/': 1, '/about': 1 });
		const prefixes = { mode: 'prefixes', prefixes: ['/'] } as const;
		expect(compareManifests(before, manifest(11, { '/': 1 }, complete))).toMatchObject({
			gone: ['/about'],
			undescribed: [],
		});
		for (const coverage of [prefixes, undefined]) {
			const plan = compareManifests(before, manifest(11, { '/': 1 }, coverage));
			expect(plan).toMatchObject({ gone: [], undescribed: ['/about'], unchanged: ['/'] });
		}
		expect(describeKey(manifest(1, {}, complete), '/x')).toBe('removed');
		expect(describeKey(manifest(1, {}, prefixes), '/x')).toBe('undescribed');
		expect(describeKey(manifest(1, { '/x': 1 }), '/x')).toBe('listed');
	});

	it('PD-36 a URL that is known without a revision is fetched when listed, and gone when it is not', () => {
		const known = {
			siteRev: 10,
			entries: new Map([
				['/a', {}],
				['/b', {}],
			]),
		};
		expect(compareManifests(known, manifest(11, { '/a': 1 }, complete))).toMatchObject({
			fetch: [{ key: '/a', reason: 'new', rev: 1 }],
			gone: ['/b'],
		});
	});

	it('PD-38 AMB-88 a URL that is neither known nor listed is in no list, also with an equal site_rev', () => {
		const plan = compareManifests(manifest(10, { '/': 1 }), manifest(10, { '/': 1 }));
		expect([...keys(plan.fetch), ...plan.unchanged, ...plan.gone, ...plan.undescribed]).toEqual(['/']);
	});

	it('PD-39 without a manifest the whole site gets the default crawl', () => {
		expect(compareManifests(manifest(10, { '/': 1 }), undefined)).toMatchObject({
			fetch: [],
			gone: [],
			fallback: 'site',
		});
	});

	it('PD-09 generated and modified decide nothing', () => {
		const before = manifest(10, { '/': 1 });
		const older = { ...manifest(11, { '/': 2 }), generated: '1999-01-01T00:00:00Z' };
		expect(keys(compareManifests(before, older).fetch)).toEqual(['/']);
		const touched = { ...manifest(11, {}), entries: new Map([['/', { rev: 1, modified: '2030-01-01T00:00:00Z' }]]) };
		expect(compareManifests(before, touched).unchanged).toEqual(['/']);
	});

	it('PD-16 keys are compared byte for byte', () => {
		const plan = compareManifests(
			manifest(10, { '/about': 1, '/%e3': 1 }),
			manifest(11, { '/about': 1, '/about/': 2, '/%E3': 1 }),
		);
		expect(keys(plan.fetch)).toEqual(['/about/', '/%E3']);
		expect(plan.undescribed).toEqual(['/%e3']);
	});

	it('every listed URL is planned once, and every known one not listed is named', () => {
		const revs = fc.dictionary(fc.constantFrom('/', '/a', '/b', '/c', '/d'), fc.nat(3));
		const coverage = fc.constantFrom<Coverage | undefined>(undefined, complete, { mode: 'prefixes', prefixes: ['/a'] });
		fc.assert(
			fc.property(revs, revs, coverage, fc.nat(3), fc.nat(3), (known, listed, covered, before, after) => {
				const plan = compareManifests(manifest(before, known), manifest(after, listed, covered));
				if (plan.fallback === 'site') {
					expect([...plan.fetch, ...plan.unchanged, ...plan.gone, ...plan.undescribed]).toEqual([]);
					expect(plan.anomalies.length).toBeGreaterThan(0);
					return;
				}
				expect([...keys(plan.fetch), ...plan.unchanged].sort()).toEqual(Object.keys(listed).sort());
				const omitted = Object.keys(known).filter((key) => !Object.hasOwn(listed, key));
				expect([...plan.gone, ...plan.undescribed].sort()).toEqual(omitted.sort());
				for (const key of plan.unchanged) if (before !== after) expect(listed[key]).toBe(known[key]);
			}),
		);
	});
});

describe('finishPlan', () => {
	const settle = (known: KnownRevisions | undefined, next: Manifest, outcomes: Record<string, PlannedOutcome>) =>
		finishPlan(compareManifests(known, next), next, (key) => outcomes[key] ?? 'fetched');

	it('AMB-89 a failed fetch keeps the site_rev, so that the next cycle tries again', () => {
		const known = manifest(10, { '/a': 1 });
		const next = manifest(11, { '/a': 2, '/b': 1 });
		expect(settle(known, next, { '/a': 'failed' })).toEqual({
			siteRev: 'keep',
			revs: new Map([['/b', 1]]),
			forget: ['/a'],
		});
		expect(settle(known, next, { '/a': 'refused' })).toEqual({
			siteRev: 11,
			revs: new Map([['/b', 1]]),
			forget: ['/a'],
		});
		expect(settle(known, next, {}).revs).toEqual(
			new Map([
				['/a', 2],
				['/b', 1],
			]),
		);
		expect(finishPlan(compareManifests(known, undefined), undefined, () => 'fetched').siteRev).toBe('keep');
	});

	it('PD-33 G2-85: records under the planned address, wherever it redirected', () => {
		const known = manifest(10, { '/old': 1, '/café?b=2&a=1': 1 });
		const next = manifest(11, { '/old': 2, '/café?b=2&a=1': 3, '/New/': 1 });
		const asked: string[] = [];
		const settled = finishPlan(compareManifests(known, next), next, (key) => {
			asked.push(key);
			return 'fetched';
		});
		const planned = ['/old', '/café?b=2&a=1', '/New/'];
		expect(asked.toSorted()).toEqual(planned.toSorted());
		expect(settled).toEqual({
			siteRev: 11,
			revs: new Map([
				['/old', 2],
				['/café?b=2&a=1', 3],
				['/New/', 1],
			]),
			forget: [],
		});
		const failed = finishPlan(compareManifests(known, next), next, (key) => (key === '/old' ? 'failed' : 'fetched'));
		expect([failed.forget, failed.revs.has('/old')]).toEqual([['/old'], false]);
	});

	it('a site that went backwards is learnt anew', () => {
		expect(settle(manifest(10, { '/a': 1 }), manifest(9, { '/a': 1 }), {})).toMatchObject({
			siteRev: 'forget',
			forget: 'all',
		});
	});

	/** A faithful publisher and a consumer with failing fetches: what the consumer holds is never older than it believes. */
	it('no change is ever missed, whatever fails', () => {
		const cycle = fc.record({
			changed: fc.subarray(['/a', '/b', '/c']),
			listed: fc.subarray(['/a', '/b', '/c']),
			failing: fc.subarray(['/a', '/b', '/c']),
			reset: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(cycle, { maxLength: 8 }), (cycles) => {
				let siteRev = 5;
				let last = '';
				const revs: Record<string, number> = { '/a': 5, '/b': 5, '/c': 5 };
				const content: Record<string, number> = { '/a': 0, '/b': 0, '/c': 0 };
				let known: KnownRevisions = { entries: new Map() };
				const held = new Map<string, number>();
				for (const { changed, listed, failing, reset } of cycles) {
					for (const key of changed) {
						content[key]!++;
						// An operator who restored an old backup: the integer goes back although the content moves on.
						revs[key] = reset && revs[key]! > 1 ? revs[key]! - 1 : revs[key]! + 1;
					}
					if (changed.length > 0 || listed.join() !== last) siteRev++;
					last = listed.join();
					const next = manifest(siteRev, Object.fromEntries(listed.map((key) => [key, revs[key]!])), complete);
					const plan = compareManifests(known, next);
					const fetched = plan.fallback === 'site' ? listed : keys(plan.fetch);
					for (const key of fetched) if (!failing.includes(key)) held.set(key, content[key]!);
					for (const key of plan.unchanged) expect(held.get(key), key).toBe(content[key]);
					const {
						siteRev: settled,
						revs: learnt,
						forget,
					} = finishPlan(plan, next, (key) => (failing.includes(key) ? 'failed' : 'fetched'));
					const entries = new Map(known.entries);
					for (const key of forget === 'all' ? known.entries.keys() : forget) entries.set(key, {});
					for (const [key, rev] of learnt) entries.set(key, { rev });
					known = { siteRev: settled === 'keep' ? known.siteRev : settled === 'forget' ? undefined : settled, entries };
				}
			}),
			{ numRuns: 500 },
		);
	});
});

describe('coverageTest', () => {
	it('PD-19 a prefix covers what begins with it as written', () => {
		const covers = coverageTest({ mode: 'prefixes', prefixes: ['/blog/', '/docs/api/', '/docs/'] });
		expect(['/blog/x', '/blog/', '/docs/a', '/docs/api/b'].every(covers)).toBe(true);
		expect(['/blogextra', '/blog', '/', '/doc', '/e'].some(covers)).toBe(false);
	});

	it('is what trying every prefix gives', () => {
		const path = fc.stringMatching(/^\/[ab/]{0,5}$/);
		fc.assert(
			fc.property(fc.array(path), path, (prefixes, key) => {
				expect(coverageTest({ mode: 'prefixes', prefixes })(key)).toBe(
					prefixes.some((prefix) => key.startsWith(prefix)),
				);
			}),
			{ numRuns: 1000 },
		);
	});
});
