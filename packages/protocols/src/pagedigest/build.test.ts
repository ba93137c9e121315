import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	type BuildManifestOptions,
	buildManifest,
	type Coverage,
	checkSuccession,
	formatManifest,
	formatRevisions,
	type Manifest,
	type PublishedPage,
	parseManifest,
	parseRevisions,
	type RevisionState,
} from './index.ts';

const time = Date.UTC(2026, 3, 17, 12);
const pagesOf = (site: Record<string, string>): PublishedPage[] =>
	Object.entries(site).map(([key, fingerprint]) => ({ key, fingerprint }));

/** A publisher that keeps its state, and its site. */
function publisher() {
	let state: RevisionState | undefined;
	return {
		publish(site: Record<string, string>, options: Partial<BuildManifestOptions> = {}) {
			const built = buildManifest(state, pagesOf(site), { time, ...options });
			({ state } = built);
			return built.manifest!;
		},
		/** What a backup would hold. */
		backup: () => state,
		restore(old: RevisionState | undefined) {
			state = old;
		},
	};
}

const revs = ({ entries }: Manifest) => Object.fromEntries([...entries].map(([key, { rev }]) => [key, rev]));

describe('buildManifest, pagedigest §4', () => {
	it('PD-10 PD-20 a changed page raises its rev and site_rev, and no other', () => {
		const site = publisher();
		const first = site.publish({ '/': 'x', '/a': 'x' });
		const second = site.publish({ '/': 'x', '/a': 'y' });
		expect(revs(first)).toEqual({ '/': 1, '/a': 1 });
		expect(revs(second)).toEqual({ '/': 1, '/a': 2 });
		expect(second.siteRev).toBeGreaterThan(first.siteRev);
	});

	it('PD-11 PD-12 additions, removals and changes of coverage raise site_rev', () => {
		const site = publisher();
		const coverage = (...prefixes: string[]): { coverage: Coverage } => ({ coverage: { mode: 'prefixes', prefixes } });
		const steps = [
			site.publish({ '/a/': 'x' }),
			site.publish({ '/a/': 'x', '/a/b': 'x' }),
			site.publish({ '/a/': 'x' }),
			site.publish({ '/a/': 'x' }, coverage('/a/')),
			site.publish({ '/a/': 'x' }, coverage('/a/', '/c/')),
			site.publish({ '/a/': 'x' }, { coverage: { mode: 'complete' } }),
		];
		expect(steps.map(({ siteRev }) => siteRev)).toEqual([1, 2, 3, 4, 5, 6]);
		expect(steps.map((manifest) => revs(manifest)['/a/'])).toEqual([1, 1, 1, 1, 1, 1]);
	});

	it('PD-13 an unchanged site keeps all integers', () => {
		const site = publisher();
		const first = site.publish({ '/': 'x', '/a': 'x' }, { coverage: { mode: 'prefixes', prefixes: ['/', '/a/'] } });
		const again = site.publish(
			{ '/a': 'x', '/': 'x' },
			{ coverage: { mode: 'prefixes', prefixes: ['/a/', '/'] }, time: time + 1e6 },
		);
		expect([again.siteRev, revs(again)]).toEqual([first.siteRev, revs(first)]);
	});

	it('PD-13 equal bytes keep the rev, however the fingerprint is made now', () => {
		const page = (fingerprint: string, byte: string): PublishedPage[] => [
			{ key: '/', fingerprint, digest: `sha256:${byte.repeat(64)}` },
		];
		const first = buildManifest(undefined, page('v1', 'a'), { time });
		const upgraded = buildManifest(first.state, page('v2', 'a'), { time });
		expect([upgraded.manifest!.siteRev, revs(upgraded.manifest!)['/']]).toEqual([1, 1]);
		const churned = buildManifest(upgraded.state, page('v2', 'b'), { time });
		expect([churned.manifest!.siteRev, revs(churned.manifest!)['/']]).toEqual([1, 1]);
		expect(revs(buildManifest(churned.state, page('v3', 'c'), { time }).manifest!)['/']).toBe(2);
	});

	it('PD-22 a rollback raises rev and site_rev', () => {
		const site = publisher();
		const steps = ['A', 'B', 'A'].map((content) => site.publish({ '/': content }));
		expect(steps.map((manifest) => [manifest.siteRev, revs(manifest)['/']])).toEqual([
			[1, 1],
			[2, 2],
			[3, 3],
		]);
	});

	it('PD-24 a page that left and came back does not fall', () => {
		const site = publisher();
		for (const content of ['1', '2', '3']) site.publish({ '/': 'x', '/a': content });
		expect(revs(site.publish({ '/': 'x' }))).toEqual({ '/': 1 });
		expect(revs(site.publish({ '/': 'x', '/a': '3' }))['/a']).toBe(3);
		site.publish({ '/': 'x' });
		expect(revs(site.publish({ '/': 'x', '/a': '4' }))['/a']).toBe(4);
	});

	it('PD-23 after a lost state everything continues above the published manifest, also for pages that were removed', () => {
		const site = publisher();
		for (const content of ['1', '2', '3']) site.publish({ '/': 'x', '/gone': content });
		const published = site.publish({ '/': 'x' });
		site.restore(undefined);
		const next = site.publish({ '/': 'x', '/gone': '3' }, { published });
		expect(next.siteRev).toBeGreaterThan(published.siteRev);
		expect(revs(next)['/']).toBeGreaterThan(revs(published)['/']!);
		expect(revs(next)['/gone']).toBeGreaterThan(3);
		expect(checkSuccession(published, next).filter(({ severity }) => severity === 'error')).toEqual([]);
	});

	it('PD-23 a state restored from a backup is noticed by the published manifest', () => {
		const site = publisher();
		site.publish({ '/': 'x' });
		const backup = site.backup();
		const published = site.publish({ '/': 'y', '/a': 'x' });
		site.restore(backup);
		const { manifest, problems } = buildManifest(backup, pagesOf({ '/': 'y', '/a': 'x' }), { time, published });
		expect(problems).toMatchObject([{ code: 'pagedigest-revisions-behind' }]);
		expect(revs(manifest!)['/']).toBeGreaterThan(revs(published)['/']!);
		expect(manifest!.siteRev).toBeGreaterThan(published.siteRev);
	});

	it('PD-08 PD-26 PD-55 the manifest is valid and holds nothing that version 1 does not know', () => {
		const digest = `sha256:${'a'.repeat(64)}` as const;
		const { manifest } = buildManifest(undefined, [{ key: '/', fingerprint: 'x', digest, modified: time }], { time });
		expect(JSON.parse(formatManifest(manifest!))).toEqual({
			version: 1,
			generated: '2026-04-17T12:00:00Z',
			site_rev: 1,
			entries: { '/': { rev: 1, digest, modified: '2026-04-17T12:00:00Z' } },
		});
		expect(parseManifest(formatManifest(manifest!))).toEqual({ value: manifest, problems: [] });
	});

	it('PD-14 PD-15 PD-18 keeps keys and prefixes to the rules', () => {
		const pages = pagesOf({ '/a': 'x', '/a?utm_source=y': 'x', '/a b': 'x', '/blog/x': 'x', '/blogextra': 'x' });
		const { manifest, problems } = buildManifest(undefined, pages, { time });
		expect([...manifest!.entries.keys()]).toEqual(['/a', '/blog/x', '/blogextra']);
		expect(problems.map(({ code }) => code)).toEqual(['pagedigest-tracking-key', 'pagedigest-invalid-key']);
		const partial = buildManifest(undefined, pagesOf({ '/blog/x': 'x', '/blogextra': 'x' }), {
			time,
			coverage: { mode: 'prefixes', prefixes: ['/blog'] },
		});
		expect(partial.problems).toMatchObject([{ code: 'pagedigest-open-prefix' }]);
		expect(partial.manifest).toMatchObject({ coverage: { mode: 'prefixes', prefixes: ['/blog/'] } });
		expect([...partial.manifest!.entries.keys()]).toEqual(['/blog/x']);
	});

	it('PD-54 refuses a manifest that consumers would not read, and keeps the state', () => {
		const site = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`/${index}`, 'x']));
		const built = buildManifest(undefined, pagesOf(site), { time, maxBytes: 500 });
		expect(built.manifest).toBeUndefined();
		expect(built.problems).toMatchObject([{ code: 'pagedigest-too-large' }]);
		expect(built.state.siteRev).toBe(0);
	});

	const site = fc.dictionary(fc.constantFrom('/', '/a', '/b', '/c'), fc.constantFrom('x', 'y'));
	const coverage = fc.constantFrom<Coverage | undefined>(
		undefined,
		{ mode: 'complete' },
		{ mode: 'prefixes', prefixes: ['/a'] },
	);
	const step = fc.record({
		site,
		coverage,
		accident: fc.constantFrom('none', 'none', 'lost', 'restored'),
		backup: fc.boolean(),
	});

	it('PD-23 no integer ever falls for any key, through losses and restores, and changes always show', () => {
		fc.assert(
			fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
				let state: RevisionState | undefined;
				let backup: RevisionState | undefined;
				let published: Manifest | undefined;
				const highest = new Map<string, { rev: number; fingerprint: string }>();
				let siteRev = 0;
				for (const { site: now, coverage: covered, accident, backup: save } of steps) {
					if (save) backup = state;
					if (accident === 'lost') state = undefined;
					if (accident === 'restored') state = backup;
					const options = { time, ...(covered && { coverage: covered }), ...(published && { published }) };
					const built = buildManifest(state, pagesOf(now), options);
					state = parseRevisions(formatRevisions(built.state)).value;
					expect(state).toEqual(built.state);
					const manifest = built.manifest!;
					if (published !== undefined) {
						const errors = checkSuccession(published, manifest).filter(({ severity }) => severity === 'error');
						expect(errors).toEqual([]);
					}
					for (const [key, { rev }] of manifest.entries) {
						const before = highest.get(key);
						if (before !== undefined) {
							expect(rev).toBeGreaterThanOrEqual(before.rev);
							if (before.fingerprint !== now[key]) expect(rev).toBeGreaterThan(before.rev);
						}
						highest.set(key, { rev, fingerprint: now[key]! });
					}
					expect(manifest.siteRev).toBeGreaterThanOrEqual(siteRev);
					({ siteRev } = manifest);
					published = manifest;
				}
			}),
			{ numRuns: 500 },
		);
	});
});

describe('parseRevisions', () => {
	it('refuses what formatRevisions did not write', () => {
		const odd = [
			'',
			'[]',
			'{}',
			'{"format":2,"siteRev":1,"floor":1,"pages":{}}',
			'{"format":1,"siteRev":-1,"floor":1,"pages":{}}',
		];
		odd.push(
			'{"format":1,"siteRev":1,"floor":1,"pages":{"/":{"rev":1}}}',
			'{"format":1,"siteRev":1,"floor":1,"pages":[]}',
		);
		odd.push('{"format":1,"siteRev":1,"floor":1,"coverage":{"mode":"x"},"pages":{}}');
		for (const text of odd)
			expect(parseRevisions(text), text).toMatchObject({ value: undefined, problems: [{ severity: 'error' }] });
	});
});

describe('checkSuccession', () => {
	const manifest = (
		siteRev: number,
		entries: Record<string, { rev: number; digest?: `sha256:${string}` }>,
	): Manifest => ({
		version: 1,
		generated: '2026-04-17T12:00:00Z',
		siteRev,
		entries: new Map(Object.entries(entries)),
	});
	const codes = (before: Manifest, after: Manifest) => checkSuccession(before, after).map(({ code }) => code);
	const a = `sha256:${'a'.repeat(64)}` as const;
	const b = `sha256:${'b'.repeat(64)}` as const;

	it('finds integers that fell or stayed', () => {
		expect(codes(manifest(9, { '/': { rev: 5 } }), manifest(8, { '/': { rev: 4 } }))).toEqual([
			'pagedigest-site-rev-decreased',
			'pagedigest-rev-decreased',
		]);
		expect(codes(manifest(9, { '/': { rev: 5 } }), manifest(9, { '/': { rev: 6 } }))).toEqual([
			'pagedigest-site-rev-not-raised',
		]);
		expect(codes(manifest(9, { '/': { rev: 5 } }), manifest(9, {}))).toEqual(['pagedigest-site-rev-not-raised']);
		expect(codes(manifest(9, {}), { ...manifest(9, {}), coverage: { mode: 'complete' } })).toEqual([
			'pagedigest-site-rev-not-raised',
		]);
		expect(codes(manifest(9, { '/': { rev: 5, digest: a } }), manifest(10, { '/': { rev: 5, digest: b } }))).toEqual([
			'pagedigest-rev-not-raised',
		]);
		expect(codes(manifest(9, { '/': { rev: 5, digest: a } }), manifest(10, { '/': { rev: 6, digest: a } }))).toEqual([
			'pagedigest-rev-without-change',
		]);
		expect(codes(manifest(9, { '/': { rev: 5 } }), manifest(10, { '/': { rev: 6 }, '/a': { rev: 1 } }))).toEqual([]);
	});

	it('names a hundred and counts the rest', () => {
		const many = (rev: number) => Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`/${index}`, { rev }]));
		const problems = checkSuccession(manifest(1, many(2)), manifest(2, many(1)));
		expect(problems).toHaveLength(101);
		expect(problems.at(-1)).toMatchObject({ code: 'pagedigest-omitted', args: { count: 50 } });
	});
});
