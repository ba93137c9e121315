import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownAgents } from '@wayleave/protocols/identity';
import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

let cwd: string;
beforeEach(() => {
	cwd = mkdtempSync(join(tmpdir(), 'wayleave-agents-'));
});

async function agents(...argv: string[]) {
	const terminal = recordingTerminal(cwd);
	const code = await run(['agents', ...argv], terminal, commands);
	return { code, out: terminal.stdout(), err: terminal.stderr() };
}

describe('wayleave agents', () => {
	it('lists the catalogue, as a table and as JSON', async () => {
		const { code, out, err } = await agents();
		expect([code, out.trim().split('\n').length]).toEqual([0, knownAgents.length + 1]);
		expect(out).toMatch(/^GPTBot +OpenAI +data-harvester +addresses$/m);
		expect(out).toMatch(/^Kangaroo Bot +– +data-harvester +–$/m);
		expect(err).toBe(`${knownAgents.length} agents\n`);
		const lines = (await agents('--json')).out.trim().split('\n');
		expect(lines.map((line) => JSON.parse(line))).toEqual(knownAgents);
	});

	it.each([
		['GPT', ['GPTBot', 'ChatGPT-User', 'ChatGPT Agent']],
		['bytedance', ['Bytespider', 'TikTokSpider', 'imageSpider']],
		['SemrushBot-SA', ['SemrushBot']],
	])('searches for %s', async (word, names) => {
		const { code, out } = await agents(word, '--json');
		const found = out
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line) as { token: string; name?: string });
		expect([code, found.map(({ token, name = token }) => name)]).toEqual([0, names]);
	});

	it('ends with 1 when nothing is found, with 2 for a category that there is not', async () => {
		expect(await agents('no-such-agent')).toMatchObject({ code: 1, out: '' });
		expect((await agents('--category', 'nonsense')).code).toBe(2);
		expect((await agents('--category', 'ad-network')).out).not.toContain('GPTBot');
	});

	it('help says what the exit codes mean', async () => {
		expect((await agents('--help')).out).toContain(
			'Exit codes: 0 an agent was found; 1 there is no such agent; 2 wrong usage',
		);
		expect((await agents('explain', '--help')).out).toContain(
			'Exit codes: 0 the User-Agent names an agent; 1 it does not',
		);
	});
});

describe('wayleave agents explain', () => {
	it('says who is named, of what category, and how that could be verified', async () => {
		const { code, out } = await agents('explain', 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)');
		expect(code).toBe(0);
		expect(out).toBe(
			'agent: GPTBot 1.2 of OpenAI\ncategory: data-harvester\nsource: https://platform.openai.com/docs/bots\n' +
				'verified when its address is in https://openai.com/gptbot.json\n',
		);
	});

	it('says what the policy does, by which line', async () => {
		writeFileSync(
			join(cwd, 'wayleave.config.yaml'),
			'origin: https://example.com\npaths: { agents: { OrchardBot: { disallow: ["/x"] } } }\ncategories: { data-harvester: { crawl: no } }\n',
		);
		const closed = await agents('explain', 'Kangaroo Bot/1.0');
		expect(closed.out).toMatch(/^product token in robots\.txt: Kangaroo$/m);
		expect(closed.out).toMatch(/^source: https:\/\/\S+ \(a public list, retrieved on 20\d\d-\d\d-\d\d\)$/m);
		expect(closed.out).toMatch(
			/^the policy in wayleave\.config\.yaml for \/: 403, by .*crawl: no \(\/robots2\.txt, line \d+\)/m,
		);
		const open = await agents('explain', 'OrchardBot/2', '--path', '/y');
		expect(open.out).toMatch(/for \/y: the page$/m);
		const own = await agents('explain', 'OrchardBot/2', '--path', '/x', '--json', '--config', 'wayleave.config.yaml');
		expect(JSON.parse(own.out)).toMatchObject({
			name: 'OrchardBot',
			agent: null,
			policy: { action: 'deny', reason: 'not-permitted', evidence: [{ text: 'Disallow: /x' }, {}] },
		});
	});

	it('joins what the request says of itself', async () => {
		const { out } = await agents('explain', 'Tool/1 GPTBot/2', '--identity', 'Other/1 (ai-assistant)', '--json');
		expect(JSON.parse(out)).toMatchObject({
			name: 'GPTBot',
			otherNames: ['Other'],
			categories: ['data-harvester', 'ai-assistant'],
			verifiedBy: ['addresses'],
		});
	});

	it('verifies for an address, where anything is published', async () => {
		const { out } = await agents('explain', 'Bytespider', '--ip', '203.0.113.9');
		expect(out).toMatch(/^from 203\.0\.113\.9: unverified, the operator publishes n/m);
		expect((await agents('explain', 'Bytespider', '--ip', 'nonsense')).code).toBe(2);
	});

	it('ends with 1 when nobody is named', async () => {
		expect(await agents('explain', 'MySpider/1')).toMatchObject({
			code: 1,
			out: expect.stringContaining('no known agent'),
		});
		expect(await agents('explain', '')).toMatchObject({ code: 1, out: expect.stringContaining('no User-Agent') });
		expect((await agents('explain', 'Google-Extended')).out).toContain('no honest request carries it');
	});
});
