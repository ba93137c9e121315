import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedPath } from '../../../../scripts/shared.ts';
import { matchRobots, parseRobots } from './index.ts';

interface Vector {
	id: string;
	robots?: string;
	robots_base64?: string;
	agent: string;
	url: string;
	expected: 'allow' | 'deny';
	line?: number;
	specific?: boolean;
	tags?: string[];
}

function load<T>(name: string): T | undefined {
	const path = sharedPath(`vectors/${name}`);
	return path && JSON.parse(readFileSync(path, 'utf8'));
}

const body = ({ robots, robots_base64 }: Pick<Vector, 'robots' | 'robots_base64'>): string | Uint8Array =>
	robots ?? Buffer.from(robots_base64!, 'base64');

const verdict = (vector: Vector, mode: 'google' | 'rfc9309' | 'default') => {
	const { value } = parseRobots(body(vector), { mode });
	return matchRobots(value, vector.agent, vector.url);
};

const ctc = load<Vector[]>('robots-google-ctc.json');
const unit = load<{ allow: Vector[] }>('robots-google-unit.json');
const differential = load<Vector[]>('robots-differential.json');

describe.skipIf(!ctc)('google mode, shared vectors (skipped where ../shared is missing)', () => {
	for (const [name, vectors] of Object.entries({ ctc, unit: unit?.allow, differential })) {
		it(`${name}: every verdict as google/robotstxt gives it`, () => {
			const wrong = vectors!.filter((v) => verdict(v, 'google').allowed !== (v.expected === 'allow'));
			expect(wrong.map(({ id }) => id)).toEqual([]);
		});
	}

	it('differential: every deciding line', () => {
		const wrong = differential!.filter((v) => (verdict(v, 'google').rule?.line ?? 0) !== v.line);
		expect(wrong.map(({ id }) => id)).toEqual([]);
	});
});
