import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig, termsOf } from '@wayleave/gateway';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { sourceProgram } from '../../../../../scripts/source-program.ts';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';
import { type Answers, defaultAnswers } from './answers.ts';
import { policyText } from './policy-text.ts';
import { collectAnswers } from './run.ts';

let cwd: string;
beforeEach(() => {
	cwd = mkdtempSync(join(tmpdir(), 'wayleave-init-'));
});
const read = () => readFileSync(join(cwd, 'wayleave.config.yaml'), 'utf8');

async function init(...argv: string[]) {
	const terminal = recordingTerminal(cwd);
	const code = await run(['init', ...argv], terminal, commands);
	return { code, out: terminal.stdout(), err: terminal.stderr() };
}

describe('init', () => {
	it('writes a policy file that loads, from flags and suggestions', async () => {
		const { code, out } = await init(
			'--yes',
			'--origin',
			'example.com',
			'--train',
			'ask',
			'--disallow',
			'/admin, /tmp',
		);
		expect([code, out]).toEqual([0, 'wrote wayleave.config.yaml\n']);
		expect(parseConfig(read())).toMatchObject({
			origin: 'https://example.com',
			paths: { disallow: ['/admin', '/tmp'] },
			policy: { crawl: 'yes', train: 'ask', store: 'session-only', attribution: 'required' },
			ask: { train: { decision: 'deny' } },
			pagedigest: { coverage: 'complete' },
			categories: { 'search-indexer': { crawl: 'yes', store: 'yes' } },
		});
	});

	it.each([
		['search', { read: 'no', train: 'no', store: 'no' }],
		['agent', { read: 'yes', train: 'no', store: 'session-only' }],
		['training', { read: 'yes', train: 'yes', store: 'yes' }],
	])('--preset %s suggests the rest, and flags go before it', async (preset, policy) => {
		await init('--yes', '--origin', 'example.com', '--preset', preset);
		expect(parseConfig(read())).toMatchObject({ policy, categories: { 'search-indexer': { crawl: 'yes' } } });
		await init('--yes', '--force', '--origin', 'example.com', '--preset', preset, '--train', 'ask');
		expect(parseConfig(read()).policy.train).toBe('ask');
	});

	it('every question has a flag', async () => {
		const flags = ['--search-engines', 'no', '--manifest', 'no', '--trusted-proxies', '10.0.0.0/8,::1', '--rate', '40'];
		expect((await init('--yes', '--origin', 'example.com', ...flags)).code).toBe(0);
		expect(parseConfig(read())).toMatchObject({
			categories: { 'search-indexer': { crawl: 'no' } },
			identity: { trustedProxies: ['10.0.0.0/8', '::1'] },
			rate: { default: 40 },
		});
		expect(parseConfig(read()).pagedigest).toBeUndefined();
		expect(await init('--yes', '--force', '--origin', 'a.example', '--trusted-proxies', 'cdn')).toMatchObject({
			code: 2,
		});
	});

	it('does not write over a file, unless told to', async () => {
		writeFileSync(join(cwd, 'wayleave.config.yaml'), 'mine');
		expect(await init('--yes', '--origin', 'example.com')).toMatchObject({
			code: 2,
			err: expect.stringContaining('--force'),
		});
		expect(read()).toBe('mine');
		expect((await init('--yes', '--origin', 'example.com', '--force')).code).toBe(0);
	});

	it('ends with 2 where an answer is missing or will not do', async () => {
		expect((await init('--yes')).err).toContain('--origin');
		expect(await init('--yes', '--origin', 'ftp://x')).toMatchObject({ code: 2 });
		expect(await init('--yes', '--origin', 'a.example', '--train', 'perhaps')).toMatchObject({ code: 2 });
		expect(await init('--yes', '--origin', 'a.example', '--disallow', 'admin')).toMatchObject({ code: 2 });
	});

	it('asks what no flag says, and asks again where an answer will not do', async () => {
		const typed = [
			'tides.example',
			'',
			'',
			'',
			'maybe',
			'yes',
			'',
			'',
			'12',
			'/x',
			'yes',
			'',
			'10.0.0.1',
			'me@tides.example',
		];
		const asked: string[] = [];
		const terminal = recordingTerminal(cwd);
		const answers = await collectAnswers(
			{ out: '' },
			async (question) => {
				asked.push(question);
				return typed.shift()!;
			},
			terminal,
		);
		expect(answers).toEqual({
			...defaultAnswers,
			origin: 'https://tides.example',
			train: 'yes',
			rate: 12,
			disallow: ['/x'],
			som: 'yes',
			trustedProxies: ['10.0.0.1'],
			reportTo: 'me@tides.example',
		});
		expect(asked[4]).toBe('May models be trained on the pages? (no, ask, yes) [no]: ');
		expect(terminal.stderr()).toBe('one of no, ask, yes, please\n');
	});

	it('every answer makes a file that loads, and nothing in it is amiss but what files alone cannot do', () => {
		const one = <Value>(...values: Value[]) => fc.constantFrom(...values);
		const answers: fc.Arbitrary<Answers> = fc.record({
			origin: one('https://a.example', 'http://127.0.0.1:8080'),
			assistants: one('yes', 'no'),
			train: one('no', 'ask', 'yes'),
			store: one('session-only', 'no', 'yes'),
			attribution: one('required', 'preferred', 'none'),
			rate: fc.option(fc.integer({ min: 1, max: 999_999 }), { nil: undefined }),
			preset: one('search', 'agent', 'training'),
			searchEngines: one('yes', 'no'),
			manifest: one('yes', 'no'),
			trustedProxies: one([], ['10.0.0.1', 'fd00::/8']),
			disallow: fc.array(one('/a', '/b/*.pdf$', '/"x"', "/it's", '/{a}: b'.replace(' ', ''))),
			som: one('yes', 'no'),
			reportTo: one('', 'me@a.example', 'https://a.example/report?x=1&y=2', 'mailto:a@b.example'),
		});
		fc.assert(
			fc.property(answers, (given) => {
				const config = parseConfig(policyText(given));
				expect([config.origin, config.paths.disallow, config.policy.train]).toEqual([
					given.origin,
					given.disallow,
					given.train,
				]);
				const amiss = termsOf(config).problems.filter(({ severity }) => severity !== 'info');
				expect(amiss.map(({ code }) => code).filter((code) => code !== 'som-endpoint-not-https')).toEqual([]);
			}),
		);
	});
});

/** The program on a terminal: what is asked, and what a person types. */
function onTerminal(typed: readonly string[]): Promise<{ code: number | null; shown: string }> {
	const program = `${process.execPath} ${sourceProgram('packages/wayleave/src/bin.ts')} init`;
	// `script` gives it a terminal of its own; where there is a person, there is no CI.
	const env = { ...process.env, CI: '', TERM: 'xterm' };
	const child = spawn('script', ['-qec', program, '/dev/null'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
	let shown = '';
	let answered = 0;
	child.stdout.on('data', (chunk) => {
		shown += chunk;
		// A question ends with a colon, and the cursor is put behind it.
		const questions = shown.match(/: \x1b\[\d+G/g)?.length ?? 0;
		if (questions > answered && typed[answered] !== undefined) child.stdin.write(typed[answered++]!);
	});
	return new Promise((resolve) => child.on('close', (code) => resolve({ code, shown })));
}

describe('init on a terminal', () => {
	it('asks, suggests, asks again, and writes what was answered', async () => {
		const typed = ['https://shop.example', '', '', '', 'maybe', 'ask', '', '', '60', '/admin, /x', 'no', '', '', ''];
		const { code, shown } = await onTerminal(typed.map((text) => `${text}\r`));
		expect(code).toBe(0);
		expect(shown).toContain('one of no, ask, yes, please');
		expect(parseConfig(read())).toMatchObject({
			origin: 'https://shop.example',
			policy: { train: 'ask', read: 'yes' },
			paths: { disallow: ['/admin', '/x'] },
			rate: { default: 60 },
		});
	});

	it('Ctrl-C leaves nothing behind', async () => {
		const { code, shown } = await onTerminal(['https://shop.example\r', '\x03']);
		expect([code, shown]).toEqual([130, expect.stringContaining('cancelled: nothing was written')]);
		expect(existsSync(join(cwd, 'wayleave.config.yaml'))).toBe(false);
	});
});
