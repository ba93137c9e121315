import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

async function lint(name: string, text: string) {
	const cwd = mkdtempSync(join(tmpdir(), 'wayleave-lint-policy-'));
	writeFileSync(join(cwd, name), text);
	const terminal = recordingTerminal(cwd);
	const code = await run(['lint', name], terminal, commands);
	const lines = terminal.stdout().trim().split('\n');
	return { code, problems: lines.map((line) => line.split(' ').slice(0, 3).join(' ')), text: terminal.stdout() };
}

it('G2-24 G2-40: lint says which names of a policy file are taken on trust, cut by readers, or matched by nothing', async () => {
	const { code, problems } = await lint(
		'wayleave.config.yaml',
		[
			'origin: https://example.com',
			'# Teller',
			'paths: { agents: { Kangaroo Bot: { disallow: ["/x"] } } }',
			'policy: { read: ask }',
			'ask:',
			'  read:',
			'    - { decision: allow, agents: [Teller, Google-Extended] }',
			'    - { decision: allow, agents: [Another], identity: verified }',
		].join('\n'),
	);
	expect(problems).toEqual([
		'wayleave.config.yaml:3:20 warning publish-agent-name',
		'wayleave.config.yaml:7:35 info publish-name-on-trust',
		'wayleave.config.yaml:7:43 warning publish-name-unmatched',
		'wayleave.config.yaml:8:35 warning publish-name-unprovable',
	]);
	expect(code).toBe(0);
});

it('lint says what is wrong in a policy file, with its place', async () => {
	const { code, problems, text } = await lint(
		'wayleave.config.yaml',
		'origin: https://example.com\npolcy: { train: no }\npaths: { agents: { Mozilla: { disallow: ["/"] } } }\n',
	);
	expect(problems).toEqual([
		'wayleave.config.yaml:2:1 error lint-policy-invalid',
		'wayleave.config.yaml:3:20 error lint-policy-invalid',
	]);
	expect(text).toContain('did you mean policy?');
	expect(text).toContain('Mozilla is a word in the User-Agent');
	expect(code).toBe(1);
	expect((await lint('wayleave.config.json', '{"origin": "https://example.com"}')).code).toBe(0);
});

it('G2-34: lint says which groups of a robots.txt cannot be enforced', async () => {
	const { problems } = await lint(
		'robots.txt',
		'User-agent: Mozilla\nUser-agent: bot\nUser-agent: ExampleBot\nDisallow: /\n',
	);
	expect(problems.filter((line) => line.endsWith('publish-name-unmatched'))).toEqual([
		'robots.txt:1:1 warning publish-name-unmatched',
		'robots.txt:2:1 warning publish-name-unmatched',
	]);
});
