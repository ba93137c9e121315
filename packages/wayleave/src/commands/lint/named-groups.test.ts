import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConfig, termsOf } from '@wayleave/gateway';
import { checkFile } from '@wayleave/gateway/lint';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { config } from '../../../../gateway/src/terms/testing/configs.ts';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

/** Output of `wayleave lint` for a robots.txt: its lines, without the file name. */
async function lint(...lines: string[]) {
	const cwd = mkdtempSync(join(tmpdir(), 'wayleave-lint-groups-'));
	writeFileSync(join(cwd, 'robots.txt'), `${lines.join('\n')}\n`);
	const terminal = recordingTerminal(cwd);
	const code = await run(['lint', 'robots.txt'], terminal, commands);
	const found = terminal.stdout().trim().split('\n').filter(Boolean);
	return { code, found: found.map((line) => line.slice('robots.txt:'.length)) };
}

const check = (text: string) =>
	checkFile({ name: 'robots.txt', bytes: new TextEncoder().encode(text), text, format: 'robots' });

describe('a group that drops a signal of the one for everybody', () => {
	const general = ['User-agent: *', 'Content-Signal: ai-train=no', 'Disallow:', ''];

	it('G2-87: is reported at the named group, with the line that it drops', async () => {
		expect(await lint(...general, 'User-agent: GPTBot', 'Disallow: /private')).toEqual({
			code: 0,
			found: [
				'5:13 warning lint-group-drops-signal "Content-Signal: ai-train=no" of line 2 does not reach GPTBot: a group replaces the one for "*"',
			],
		});
	});

	it.each([
		['Content-Usage', ['User-agent: *', 'Content-Usage: train-ai=n', 'Disallow:', ''], 'Content-Usage: train-ai=n'],
		[
			'Content-Usage for a path',
			['User-agent: *', 'Content-Usage: /blog train-ai=n', 'Allow: /', ''],
			'/blog train-ai=n',
		],
		['the search signal', ['User-agent: *', 'content-signal: search=no, ai-train=yes', 'Allow: /', ''], 'search=no'],
	])('G2-87: %s', async (_, before, named) => {
		const { found } = await lint(...before, 'User-agent: GPTBot', 'User-agent: CCBot', 'Disallow: /private');
		expect(found).toEqual([
			expect.stringMatching(/^5:13 warning lint-group-drops-signal .+ does not reach GPTBot, CCBot: /),
		]);
		expect(found[0]).toContain(named);
	});

	it('G2-87: in the other order of groups, and if the group has only other signals', async () => {
		const { found } = await lint('User-agent: GPTBot', 'Content-Signal: search=yes', 'Allow: /', '', ...general);
		expect(found).toEqual([expect.stringMatching(/^1:13 warning lint-group-drops-signal .+ of line 6 /)]);
	});

	it.each([
		['says it itself', ['User-agent: GPTBot', 'Content-Signal: ai-train=no', 'Disallow: /private']],
		['says it in the other vocabulary', ['User-agent: GPTBot', 'Content-Usage: train-ai=n', 'Disallow: /private']],
		['allows it expressly', ['User-agent: GPTBot', 'Content-Signal: ai-train=yes', 'Disallow: /private']],
		['may fetch nothing', ['User-agent: GPTBot', 'Disallow: /']],
		[
			'says it in another group of its own',
			['User-agent: GPTBot', 'Disallow: /a', '', 'User-agent: CCBot', 'Disallow: /'],
		],
	])('G2-87: reports nothing for a group that %s', async (name, group) => {
		const more = name.startsWith('says it in another')
			? ['', 'User-agent: GPTBot', 'Content-Signal: ai-train=no', 'Disallow: /b']
			: [];
		const { found } = await lint(...general, ...group, ...more);
		expect(found.filter((line) => line.includes('lint-group'))).toEqual([]);
	});

	it('G2-87: a prohibition above all groups applies to every agent', async () => {
		const { found } = await lint('Content-Signal: ai-train=no', ...general, 'User-agent: GPTBot', 'Disallow: /private');
		expect(found.filter((line) => line.includes('lint-group'))).toEqual([]);
	});
});

describe('a group that frees its agents', () => {
	it('G2-88: a Crawl-delay alone', async () => {
		expect(await lint('User-agent: *', 'Disallow: /private', '', 'User-agent: GPTBot', 'Crawl-delay: 5')).toEqual({
			code: 0,
			found: [
				'4:13 warning lint-group-frees GPTBot may fetch /private, which line 2 withholds from others: a group replaces the one for "*"',
			],
		});
	});

	it.each([
		['a rule for another path', ['Disallow: /other']],
		['nothing but a comment', ['# nothing yet']],
		['a signal alone', ['Content-Signal: search=yes']],
		['a part of it', ['Disallow: /private/deeper']],
	])('G2-88: %s', async (_, group) => {
		const { found } = await lint(
			'User-agent: *',
			'Disallow: /private',
			'Disallow: /*.pdf$',
			'',
			'User-agent: GPTBot',
			...group,
		);
		expect(found.filter((line) => line.includes('lint-group-frees'))).toEqual([
			expect.stringMatching(
				/^5:13 (?:warning|info) lint-group-frees GPTBot may fetch \/private, \/\*\.pdf\$, which line 2 /,
			),
		]);
	});

	it('G2-88: many agents and many paths are named by the first of them', async () => {
		const paths = ['a', 'b', 'c', 'd', 'e'].map((name) => `Disallow: /${name}`);
		const agents = ['One', 'Two', 'Three', 'Four'].map((name) => `User-agent: ${name}Bot`);
		const { found } = await lint('User-agent: *', ...paths, '', ...agents, 'Crawl-delay: 1');
		expect(found).toEqual([
			expect.stringContaining('OneBot, TwoBot, ThreeBot and 1 more may fetch /a, /b, /c and 2 more, which line 2 '),
		]);
	});

	it.each([
		['an Allow', ['Allow: /']],
		['an empty Disallow', ['Disallow:']],
		['the same rule', ['Disallow: /private']],
		['a wider rule', ['Disallow: /p']],
		['a closed site', ['Disallow: /']],
	])('G2-88: reports nothing for %s', async (_, group) => {
		expect(await lint('User-agent: *', 'Disallow: /private', '', 'User-agent: GPTBot', ...group)).toEqual({
			code: 0,
			found: [],
		});
	});

	it('G2-88: a path that `*` may fetch after all is not missing in a group', async () => {
		const { found } = await lint(
			'User-agent: *',
			'Disallow: /a',
			'Allow: /a*',
			'',
			'User-agent: GPTBot',
			'Disallow: /b',
		);
		expect(found).toEqual([]);
	});
});

describe('names beside *', () => {
	it('G2-89: is a remark that explains the effect', async () => {
		expect(await lint('User-agent: GPTBot', 'User-agent: CCBot', 'User-agent: *', 'Disallow: /')).toEqual({
			code: 0,
			found: [
				'3:13 info lint-names-beside-star "*" beside GPTBot, CCBot makes this group speak to every agent: it closes the site to everybody',
			],
		});
	});

	it('G2-89: wherever the star is, and without closing the site', async () => {
		const { found } = await lint('User-agent: *', 'User-agent: GPTBot', 'Disallow: /private');
		expect(found).toEqual(['1:13 info lint-names-beside-star "*" beside GPTBot makes this group speak to every agent']);
	});

	it('G2-89: is not reported for * alone or names alone', async () => {
		expect((await lint('User-agent: *', 'Disallow: /')).found).toEqual([]);
		expect((await lint('User-agent: GPTBot', 'User-agent: CCBot', 'Disallow: /')).found).toEqual([]);
	});
});

describe('our own files', () => {
	const robotsOf = (written: object, ownRobots?: string) =>
		termsOf(checkConfig({ origin: 'https://example.com', ...written }), ownRobots === undefined ? {} : { ownRobots })
			.robots;

	it('G2-90: a published robots.txt repeats the signal in each group, and passes', () => {
		const text = robotsOf({
			policy: { train: 'no' },
			paths: { disallow: ['/p'], agents: { GPTBot: { disallow: ['/x'] }, CCBot: {} } },
		});
		const groups = text.split(/\n\n(?=(?:#.*\n)*User-agent)/).filter((group) => group.includes('User-agent:'));
		expect(groups.length).toBeGreaterThan(1);
		for (const group of groups) expect(group).toMatch(/^Content-(?:Usage: train-ai=n|Signal: .*ai-train=no)$/m);
		expect(check(text)).toEqual([]);
	});

	it('G2-90: so does each one that a policy file makes, of any shape', () => {
		const bad = (text: string) =>
			check(text).filter(({ code, severity }) => severity === 'error' || code.startsWith('lint-'));
		fc.assert(
			fc.property(config, (made) => {
				expect(bad(termsOf(made, {}).robots)).toEqual([]);
			}),
		);
	});

	it('G2-90: and one that is merged into the file of a site', () => {
		const own = 'User-agent: Googlebot\nDisallow: /search\n\nUser-agent: *\nDisallow: /search\nCrawl-delay: 2\n';
		const text = robotsOf({ policy: { train: 'no' }, paths: { disallow: ['/private'] } }, own);
		expect(check(text).filter(({ code }) => code.startsWith('lint-'))).toEqual([]);
	});
});

it('stays quick on a crafted file', () => {
	const groups = Array.from(
		{ length: 8000 },
		(_, at) => `User-agent: bot-${'x'.repeat(at % 20)}-${at}\nCrawl-delay: 1`,
	);
	const rules = Array.from({ length: 4000 }, (_, at) => `Disallow: /${at}*x*y*z$`);
	const begun = process.cpuUsage();
	expect(check(`User-agent: *\n${rules.join('\n')}\n\n${groups.join('\n\n')}\n`).length).toBeGreaterThan(0);
	expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(10);
});
