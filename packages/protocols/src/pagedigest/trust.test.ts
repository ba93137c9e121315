import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	auditRate,
	auditsDue,
	believes,
	initialTrust,
	reduceTrust,
	type TrustEvent,
	type TrustState,
} from './index.ts';

const after = (...events: TrustEvent[]) => events.reduce((state, event) => reduceTrust(state, event), initialTrust);
const match = (key: string): TrustEvent => ({ kind: 'match', key });
const mismatch = (key: string, fresh = false): TrustEvent => ({ kind: 'mismatch', key, fresh });
const cleanWindow: TrustEvent[] = [match('/ok'), { kind: 'window-end' }];
const times = <T>(count: number, items: T[]): T[] => Array.from({ length: count }, () => items).flat();

describe('reduceTrust, pagedigest §5.2.2', () => {
	it('PD-44 an inconclusive audit changes nothing', () => {
		expect(reduceTrust(initialTrust, { kind: 'inconclusive', key: '/' })).toBe(initialTrust);
	});

	it('PD-45 a mismatch raises the audit rate, mismatches on many URLs end reliance on the manifest', () => {
		const one = after(mismatch('/a'));
		expect(one.level).toBe('doubtful');
		expect(auditRate(one)).toBeGreaterThan(auditRate(initialTrust));
		const many = after(mismatch('/a'), mismatch('/b'), mismatch('/c'));
		expect(many.level).toBe('distrusted');
		expect(believes(many, '/other')).toBe(false);
	});

	it('PD-46 a mismatch right after a publish is first taken for a race', () => {
		const fresh = after(mismatch('/a', true));
		expect(fresh.level).toBe('neutral');
		expect(believes(fresh, '/a')).toBe(true);
		expect(auditsDue(fresh)).toEqual(['/a']);
		expect(reduceTrust(fresh, match('/a')).urls).toEqual({});
		const repeated = reduceTrust(fresh, mismatch('/a', true));
		expect(repeated.level).toBe('doubtful');
		expect(believes(repeated, '/a')).toBe(false);
		// However many edges lag behind, nobody is blamed before the retry.
		expect(after(...['/a', '/b', '/c', '/d'].map((key) => mismatch(key, true))).level).toBe('neutral');
	});

	it('PD-47 repeated mismatches of one URL stay with that URL, and trust comes back', () => {
		const state = after(mismatch('/a'), mismatch('/a'), mismatch('/a'), mismatch('/a'));
		expect([believes(state, '/a'), believes(state, '/b')]).toEqual([false, true]);
		const healed = [match('/a'), match('/a'), match('/a')].reduce((now, event) => reduceTrust(now, event), state);
		expect(believes(healed, '/a')).toBe(true);
		expect(believes(reduceTrust(state, match('/a')), '/a')).toBe(false);
	});

	it('PD-47 clean windows restore trust step by step', () => {
		const distrusted = after({ kind: 'site-anomaly' }, { kind: 'window-end' });
		const levels = [1, 2, 3].map(
			(steps) => times(3 * steps, cleanWindow).reduce((now, event) => reduceTrust(now, event), distrusted).level,
		);
		expect(levels).toEqual(['doubtful', 'neutral', 'established']);
		const empty = times(10, [{ kind: 'window-end' } as TrustEvent]).reduce(
			(now, event) => reduceTrust(now, event),
			distrusted,
		);
		expect(empty.level).toBe('distrusted');
	});

	it('PD-35 a decrease counts for its URL, widespread ones for the site', () => {
		const one = after({ kind: 'rev-decreased', key: '/a' });
		expect([one.level, believes(one, '/b')]).toEqual(['doubtful', true]);
		expect(after(...['/a', '/b', '/c'].map((key): TrustEvent => ({ kind: 'rev-decreased', key }))).level).toBe(
			'distrusted',
		);
	});

	it('PD-48 soft evidence raises the audit rate and nothing else', () => {
		const churn = after(...times(10, [{ kind: 'soft-evidence' } as TrustEvent]));
		expect([churn.level, auditRate(churn)]).toEqual(['neutral', 0.02]);
		expect(auditRate(reduceTrust(churn, { kind: 'window-end' }))).toBe(0.01);
	});

	it('PD-43 the base rate is one per cent, and rate 0 stays 0', () => {
		expect(auditRate(initialTrust)).toBe(0.01);
		expect(auditRate(after(mismatch('/a')), 0)).toBe(0);
		expect(auditRate(after(mismatch('/a')), 0.5)).toBe(1);
	});

	const key = fc.constantFrom('/a', '/b', '/c', '/d', '/__proto__', '/constructor');
	const event: fc.Arbitrary<TrustEvent> = fc.oneof(
		fc.record({ kind: fc.constant('mismatch' as const), key, fresh: fc.boolean() }),
		fc.record({ kind: fc.constantFrom('match' as const, 'inconclusive' as const, 'rev-decreased' as const), key }),
		fc.record({ kind: fc.constantFrom('site-anomaly' as const, 'soft-evidence' as const, 'window-end' as const) }),
	);
	const order = ['distrusted', 'doubtful', 'neutral', 'established'];

	it('faults never raise trust, matches never lower it, and from anywhere trust can be regained', () => {
		fc.assert(
			fc.property(fc.array(event), event, (events, last) => {
				const before = after(...events);
				const now = reduceTrust(before, last);
				const step = order.indexOf(now.level) - order.indexOf(before.level);
				if (last.kind === 'mismatch' || last.kind === 'rev-decreased' || last.kind === 'site-anomaly')
					expect(step).toBeLessThanOrEqual(0);
				if (last.kind === 'match' || last.kind === 'window-end') expect(step).toBeGreaterThanOrEqual(0);
				const healing = [
					...times(3, ['/a', '/b', '/c', '/d', '/__proto__', '/constructor'].map(match)),
					...times(10, cleanWindow),
				];
				const healed: TrustState = healing.reduce(
					(state, event) => reduceTrust(state, event),
					reduceTrust(now, { kind: 'window-end' }),
				);
				expect([healed.level, healed.urls]).toEqual(['established', {}]);
			}),
		);
	});

	it('is plain data: it survives storage, and states are never changed', () => {
		fc.assert(
			fc.property(fc.array(event), (events) => {
				let state = initialTrust;
				for (const next of events) {
					const frozen = JSON.stringify(state);
					const stored = reduceTrust(JSON.parse(frozen) as TrustState, next);
					expect(reduceTrust(state, next)).toEqual(stored);
					expect(JSON.stringify(state)).toBe(frozen);
					state = stored;
				}
			}),
		);
	});
});
