import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

let cwd: string;
beforeEach(() => {
	cwd = mkdtempSync(join(tmpdir(), 'wayleave-publish-'));
	put(
		'site/index.html',
		'<!doctype html><title>Tides</title><main><p>The water comes and goes twice a day.</p></main>',
	);
});
const put = (name: string, content: string) => {
	mkdirSync(dirname(join(cwd, name)), { recursive: true });
	writeFileSync(join(cwd, name), content);
};
const read = (name: string) => readFileSync(join(cwd, name), 'utf8');

async function publish(...argv: string[]) {
	const terminal = recordingTerminal(cwd, { SOURCE_DATE_EPOCH: '1755268200' });
	const code = await run(['publish', ...argv], terminal, commands);
	return { code, out: terminal.stdout(), err: terminal.stderr() };
}

describe('publish', () => {
	it('needs no policy file, and then writes no terms', async () => {
		expect(await publish('site', '--origin', 'https://tides.example')).toEqual({
			code: 0,
			out: '1 page: 1 read, 0 withheld\nsite_rev 1: 1 URL, 1 new, 0 changed, 0 gone\nwrote 2 page files and robots.txt, _headers, llms.txt, .well-known/pagedigest.json in site\n',
			err: '',
		});
		expect(existsSync(join(cwd, 'site/robots2.txt'))).toBe(false);
		expect(JSON.parse(read('site/.well-known/pagedigest.json')).generated).toBe('2025-08-15T14:30:00Z');
	});

	it('keeps its state beside the policy file', async () => {
		put('policy/p.yaml', 'origin: https://tides.example\npolicy: { train: no, store: no }\n');
		expect((await publish('site', '--config', 'policy/p.yaml', '--json')).code).toBe(0);
		expect(existsSync(join(cwd, 'policy/.wayleave/revisions.db'))).toBe(true);
		const { out } = await publish('site', '--config', 'policy/p.yaml', '--json');
		expect(JSON.parse(out)).toMatchObject({ pages: 1, read: 0, siteRev: 1, files: [], problems: 0 });
	});

	it('ends with 1 where a policy file of somebody else is in the way', async () => {
		put('wayleave.config.yaml', 'origin: https://tides.example\npolicy: { train: no, store: no }\n');
		put('site/robots2.txt', 'train: yes\n');
		const { code, err } = await publish('site');
		expect(code).toBe(1);
		expect(err).toContain(
			'robots2.txt error publish-foreign-file robots2.txt was not written by Wayleave and stays unchanged',
		);
		expect((await publish('site', '--replace')).code).toBe(0);
	});

	it('ends with 2 and the place of everything that is wrong in the policy file', async () => {
		put(
			'wayleave.config.yaml',
			'origin: https://tides.example\npolicy:\n  train: maybe\npaths: { disallow: [admin] }\n',
		);
		const { code, err } = await publish('site');
		expect(code).toBe(2);
		expect(err).toMatch(/(?<!\/)wayleave\.config\.yaml:3:3: policy\.train: expected one of no, ask, yes/);
		expect(err).toMatch(/:4:21: paths\.disallow\.0/);
		expect((await publish('nowhere', '--origin', 'https://tides.example')).code).toBe(3);
		expect((await publish('site', '--config', 'nowhere.yaml')).code).toBe(3);
		expect((await publish('site', '--origin', 'tides')).code).toBe(2);
	});
});
