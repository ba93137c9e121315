import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { askAll, group, policiesOf, reader, repetitions, works } from '../testing/growth-works.ts';
import { decide, type Verdict } from './index.ts';

/** All lines that a verdict carries. */
const carried = ({ because, also, contradicts }: Verdict) => because.length + also.length + contradicts.length;

/** Steps for an input of size n, 2n and 4n, as `count-steps.ts` counts them. */
function countAll(): Record<string, [number, number, number]> {
	const script = fileURLToPath(new URL('../testing/count-steps.ts', import.meta.url));
	const tsx = fileURLToPath(import.meta.resolve('tsx'));
	const child = spawnSync(process.execPath, ['--conditions=wayleave-source', '--import', tsx, script], {
		encoding: 'utf8',
	});
	expect(child.stderr).toBe('');
	return JSON.parse(child.stdout);
}

const steps = countAll();

function expectLinear(name: string): void {
	const [once, twice, fourfold] = steps[name] ?? [];
	if (once === undefined || twice === undefined || fourfold === undefined) throw new Error(`${name} was not counted`);
	expect(once, name).toBeGreaterThan(100);
	expect(twice, `${name}: ${once} steps, ${twice} for twice as much`).toBeLessThan(2.1 * once + 100);
	expect(fourfold, `${name}: ${twice} steps, ${fourfold} for twice as much`).toBeLessThan(2.1 * twice + 100);
}

describe('a site that repeats itself', () => {
	it.each(repetitions)('%s: the work grows no faster than the files', (name) => {
		expectLinear(name);
	});

	it.each(repetitions)('%s: a verdict stays small, and the last line still decides', (_, files) => {
		for (const verdict of [...askAll(files(150)), ...askAll(files(600))]) {
			expect(verdict.because.length).toBeLessThanOrEqual(100);
			expect(verdict.also.length).toBeLessThanOrEqual(100);
			expect(verdict.contradicts.length).toBeLessThanOrEqual(100);
		}
	});

	it('repeated lines do not make a verdict longer', () => {
		const same = repetitions.filter(([name]) => !/many paths|licences|Link/.test(name));
		for (const [name, files] of same) {
			const [few, many] = [askAll(files(20)), askAll(files(200))];
			expect(many.map(carried), name).toEqual(few.map(carried));
		}
	});

	it('the effect does not depend on the lines that the verdict carries', () => {
		const robots = group(500, 'Content-Signal: ai-train=yes, x{i}=1', 'License: https://a.test/{i}.xml');
		const ask = (last: string) =>
			decide(policiesOf({ robots: `${robots}${last}\n` }), reader, 'train', 'https://a.test/b');
		expect(ask('').effect).toBe('allow');
		const denied = ask('Content-Signal: ai-train=no');
		expect(denied).toMatchObject({ effect: 'deny', permitted: false });
		expect(denied.because.map(({ line }) => line)).toEqual([1002]);
		expect(denied.omitted).toBe(401);
		expect(denied.also).toHaveLength(100);
		// Strictest first: permissions come before lines that say nothing.
		expect(denied.also[0]).toMatchObject({ line: 2, repeated: 499 });
	});

	it('two places that disagree form one pair, however many lines each has', () => {
		const robots = 'User-agent: *\nContent-Usage: /b* train-ai=n\nContent-Usage: /*b train-ai=n\n';
		const robots2 = 'User-agent: *\nContent-Usage: train-ai=y\n';
		const verdict = decide(policiesOf({ robots, robots2 }), reader, 'train', 'https://a.test/b');
		expect(verdict.because.map(({ line }) => line)).toEqual([2, 3]);
		expect(verdict.contradicts.map((pair) => pair.map(({ line }) => line))).toEqual([[2, 2]]);
	});

	it('a verdict carries the beginning of a line of any length', () => {
		const robots = `User-agent: *\nDisallow: /b # ${'x'.repeat(100_000)}\n`;
		const { because } = decide(policiesOf({ robots }), reader, 'read', 'https://a.test/b');
		expect(because[0]?.text).toHaveLength(500);
	});
});

describe('no parser, check or formatter does more work than its input warrants', () => {
	it.each(works)('%s', (name) => {
		expectLinear(name);
	});
});
