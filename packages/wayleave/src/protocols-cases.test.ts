import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { allProblems, explain, type LintCode, type LintProblem } from '@wayleave/gateway/lint/problems';
import { parseConfig } from '@wayleave/gateway/policy';
import { isPublicAddress } from '@wayleave/io/http';
import { generateSigningKey, loadSigningKey, RequestVerifier, signRequest } from '@wayleave/io/signatures';
import type { Problem } from '@wayleave/protocols';
import {
	type Agent,
	decide,
	type Policies,
	parseContentSignal,
	parseTdmrep,
	type Use,
	type Verdict,
} from '@wayleave/protocols/policy';
import { checkRobots, matchRobots, parseRobots, prepareRobots, type RobotsMode } from '@wayleave/protocols/robots';
import { checkRobots2, parseRobots2 } from '@wayleave/protocols/robots2';
import { describe, expect, it } from 'vitest';
import { sourceProgram } from '../../../scripts/source-program.ts';
import { commands } from './command-list.ts';
import { run } from './program.ts';
import { recordingTerminal } from './testing/recorder.ts';

type Text = string | { readonly text: string; readonly utf16?: 'le' | 'be'; readonly repeat?: number };

/** A pattern that a finding, or the output of a command, must match. */
interface Finding {
	readonly line?: number;
	readonly severity?: string;
	readonly says?: string;
}

interface Input {
	readonly robots?: Text;
	readonly robots2?: Text;
	readonly tdmrep?: Text;
	readonly page?: { readonly headers: Record<string, string> };
	readonly use: Use;
	readonly agent?: Agent | string;
	readonly url?: string;
	readonly mode?: RobotsMode;
	readonly n: number;
	readonly lines: Record<'robots' | 'robots2', readonly string[] | undefined>;
	readonly signatureAgent: string;
	readonly args: readonly string[];
	readonly env?: Record<string, string>;
	readonly files?: Record<string, Text>;
	readonly stdin?: string;
	readonly read?: string;
}

interface Expected extends Readonly<Record<string, unknown>> {
	readonly problems?: readonly Finding[];
	readonly not?: readonly Finding[];
	readonly atMost?: number;
	readonly problem?: string;
	readonly because?: string;
}

interface Case {
	readonly id: string;
	readonly kind: string;
	readonly call: string;
	readonly input: Input;
	readonly expect: Expected;
}

const cases: readonly Case[] = JSON.parse(
	readFileSync(new URL('../../../vectors/protocols/cases.json', import.meta.url), 'utf8'),
);

const site = 'https://quay.example.org';
const reader = { token: 'QuayReader', categories: ['ai-assistant'] };

const bytesOf = (text: Text): Uint8Array => {
	if (typeof text === 'string') return Buffer.from(text);
	const whole = text.text.repeat(text.repeat ?? 1);
	if (text.utf16 === undefined) return Buffer.from(whole);
	const bytes = Buffer.from(`\ufeff${whole}`, 'utf16le');
	return text.utf16 === 'be' ? bytes.swap16() : bytes;
};

const policiesOf = ({ robots, robots2, tdmrep, page }: Partial<Input>): Policies => ({
	...(robots !== undefined && {
		robots: { source: `${site}/robots.txt`, file: parseRobots(bytesOf(robots)).value },
	}),
	...(robots2 !== undefined && {
		robots2: { files: [{ source: `${site}/robots2.txt`, file: parseRobots2(bytesOf(robots2)).value }] },
	}),
	...(tdmrep !== undefined && {
		files: {
			tdmrep: { source: `${site}/tdmrep.json`, value: parseTdmrep(Buffer.from(bytesOf(tdmrep)).toString()).value },
		},
	}),
	...(page && { page: { source: `${site}/berths/7`, headers: Object.entries(page.headers) } }),
});

function checkDecision({ input, expect: expected }: Case): void {
	const agent = typeof input.agent === 'object' ? input.agent : reader;
	const verdict = decide(policiesOf(input), agent, input.use, input.url ?? `${site}/berths/7`);
	const { because, ...equal } = expected;
	expect(verdict).toMatchObject(equal);
	if (because !== undefined) expect(verdict.because.map(({ text }) => text).join('\n')).toMatch(new RegExp(because));
}

/** The same question about a file of n lines and one of 2n. */
function checkGrowth({ input, expect: expected }: Case): void {
	const fileOf = (lines: readonly string[] | undefined, n: number) =>
		lines &&
		`User-agent: *\n${Array.from({ length: n }, (_, i) => lines.join('\n').replaceAll('{i}', String(i))).join('\n')}\n`;
	const ask = (n: number): Verdict => {
		const [robots, robots2] = [fileOf(input.lines.robots, n), fileOf(input.lines.robots2, n)];
		const files = { ...(robots && { robots }), ...(robots2 && { robots2 }), ...(input.page && { page: input.page }) };
		return decide(policiesOf(files), reader, input.use, `${site}/berths/7`);
	};
	for (const verdict of [ask(input.n), ask(2 * input.n)]) {
		expect(verdict.effect).toBe(expected.effect);
		expect(verdict.contradicts.length).toBeLessThanOrEqual(Number(expected.contradictsAtMost));
		expect(verdict.contradicts.length).toBeGreaterThanOrEqual(Number(expected.contradictsAtLeast ?? 0));
		expect(verdict.because.length + verdict.also.length).toBeLessThanOrEqual(Number(expected.evidenceAtMost));
	}
}

const ranks = ['info', 'warning', 'error'];
const rank = (severity = 'info') => ranks.indexOf(severity);

function checkProblems(problems: readonly LintProblem[], { problems: wanted = [], not = [], atMost }: Expected): void {
	const shown = problems.map((problem) => ({ ...problem, says: `${problem.code} ${explain(problem)}` }));
	const matches = (each: (typeof shown)[number], { line, severity, says = '' }: Finding) =>
		(line === undefined || each.line === line) &&
		rank(each.severity) >= rank(severity) &&
		new RegExp(says, 'i').test(each.says);
	const lines = JSON.stringify(shown.map(({ line, severity, says }) => `${line} ${severity} ${says}`));
	for (const finding of wanted)
		expect(
			shown.some((each) => matches(each, finding)),
			`${JSON.stringify(finding)} in ${lines}`,
		).toBe(true);
	for (const finding of not)
		expect(
			shown.some((each) => matches(each, finding)),
			`${JSON.stringify(finding)} in ${lines}`,
		).toBe(false);
	if (atMost !== undefined) expect(problems.length, lines).toBeLessThanOrEqual(atMost);
}

/** Code and sentence of each problem of a parser. */
const sentences = (problems: readonly Problem<LintCode>[]) =>
	problems.map((problem) => `${problem.code} ${allProblems[problem.code].sentence}`).join('\n');

function checkMatch({ input, expect: expected }: Case): void {
	const { value, problems } = parseRobots(bytesOf(input.robots ?? ''), { mode: input.mode ?? 'default' });
	const { problem, ...equal } = expected;
	const agent = typeof input.agent === 'string' ? input.agent : reader.token;
	expect(matchRobots(value, agent, input.url ?? site)).toMatchObject(equal);
	if (problem !== undefined) expect(sentences(problems)).toMatch(new RegExp(problem, 'i'));
}

async function checkSignatureAgent({ input, expect: expected }: Case): Promise<void> {
	const asked: string[] = [];
	const now = Math.floor(Date.now() / 1000);
	const verifier = new RequestVerifier({
		directories: {
			find: async (origin) => {
				asked.push(origin);
				return { result: 'missing', detail: 'no key' };
			},
		},
	});
	const key = loadSigningKey(generateSigningKey());
	const request = { method: 'GET', url: `${site}/` };
	const signed = await signRequest(request, key, {
		agent: 'https://agent.example.org',
		created: now,
		expires: now + 60,
	});
	const headers: Record<string, string> = { ...signed, 'signature-agent': input.signatureAgent };
	const verdict = await verifier.verify({ ...request, header: (name) => headers[name] });
	if (expected.directoryAsked !== undefined) expect(asked.length > 0).toBe(expected.directoryAsked);
	if (expected.notDetail) expect(JSON.stringify(verdict)).not.toMatch(String(expected.notDetail));
}

interface Outcome {
	readonly exit: number | NodeJS.Signals | null;
	readonly said: string;
}

/** Runs in a separate process if there are settings for Node, since they apply to a whole process. */
async function runCommand(folder: string, { args, env, stdin = '' }: Input): Promise<Outcome> {
	if (env !== undefined) {
		const bin = sourceProgram('packages/wayleave/src/bin.ts');
		const child = spawnSync(process.execPath, [bin, ...args], { cwd: folder, env: { ...process.env, ...env } });
		return { exit: child.status ?? child.signal, said: `${child.stdout}${child.stderr}` };
	}
	const terminal = recordingTerminal(folder, { WAYLEAVE_CONTACT: 'operator@wayleave.dev' }, stdin);
	return { exit: await run([...args], terminal, commands), said: terminal.screen() };
}

async function checkCommand({ id, input, expect: expected }: Case): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), `wayleave-${id}-`));
	try {
		for (const [name, text] of Object.entries(input.files ?? {})) {
			mkdirSync(dirname(join(folder, name)), { recursive: true });
			writeFileSync(join(folder, name), bytesOf(text));
		}
		const { exit, said } = await runCommand(folder, input);
		for (const pattern of (expected.says as string[]) ?? []) expect(said).toMatch(new RegExp(pattern));
		for (const pattern of (expected.saysNot as string[]) ?? []) expect(said).not.toMatch(new RegExp(pattern));
		if (expected.exit !== undefined) expect(exit, said).toBe(expected.exit);
		if (expected.exitNot !== undefined) expect(exit, said).not.toBe(expected.exitNot);
		if (expected.linesAtMost !== undefined)
			expect(said.trimEnd().split('\n').length, said).toBeLessThanOrEqual(Number(expected.linesAtMost));
		const file = input.read === undefined ? '' : join(folder, input.read);
		const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
		for (const pattern of (expected.file as string[]) ?? []) expect(text).toMatch(new RegExp(pattern));
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const text = (input: unknown) => input as string;
const problemsOf = (input: unknown) => bytesOf(input as Text);

const calls: Readonly<Record<string, (each: Case) => void | Promise<void>>> = {
	decide: checkDecision,
	growth: checkGrowth,
	matchRobots: checkMatch,
	signatureAgent: checkSignatureAgent,
	command: checkCommand,
	checkRobots: ({ input, expect: expected }) => checkProblems(checkRobots(problemsOf(input)), expected),
	checkRobots2: ({ input, expect: expected }) => checkProblems(checkRobots2(problemsOf(input)), expected),
	parseConfig: ({ input, expect: expected }) => expect(parseConfig(text(input))).toMatchObject(expected),
	isPublicAddress: ({ input, expect: expected }) => expect(isPublicAddress(text(input))).toBe(expected),
	crawlDelay({ input, expect: expected }) {
		const { value } = parseRobots(bytesOf(input.robots ?? ''), { mode: input.mode ?? 'default' });
		expect(prepareRobots(value, reader.token).crawlDelay ?? null).toBe(expected);
	},
	parseContentSignal({ input, expect: { problem, ...expected } }) {
		const parsed = parseContentSignal(text(input));
		expect(parsed).toMatchObject(expected);
		if (problem !== undefined) expect(sentences(parsed.problems)).toMatch(new RegExp(problem));
	},
};

describe('vectors/protocols/cases.json', () => {
	it.each(cases.map((each) => [each.id, each.kind, each] as const))('%s %s', async (_, __, each) => {
		const check = calls[each.call];
		expect(check, each.call).toBeDefined();
		await check?.(each);
	});
});
