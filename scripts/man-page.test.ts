import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { commandTree } from '../packages/wayleave/src/cli/command-tree.ts';
import { commands } from '../packages/wayleave/src/command-list.ts';
import { manPage } from './man-page.ts';

const tree = await commandTree(commands);
const page = manPage(tree, { version: '1.2.3', date: '2026-01-31' });

it('the manual page has every command with its options, in text that troff takes literally', () => {
	expect(page).toMatch(/^\.TH WAYLEAVE 1 "2026-01-31" "wayleave 1\.2\.3"/);
	for (const { path, subcommands, options } of tree.slice(1)) {
		const title = `.SS wayleave ${path.replaceAll('-', '\\-')}`;
		expect(page).toContain(title);
		const section = page.slice(page.indexOf(title)).split('\n.S')[0];
		if (subcommands.length > 0) continue;
		for (const { flags } of options) expect(section).toContain(`.B ${flags.replaceAll('-', '\\-')}\n`);
	}
	// A line that begins with a point is a request: only ours may.
	const requests = new Set(page.split('\n').flatMap((line) => /^[.'](\w*)/.exec(line)?.[1] ?? []));
	expect([...requests].sort()).toEqual(['B', 'I', 'PP', 'RI', 'SH', 'SS', 'TH', 'TP']);
});

it.runIf(spawnSync('groff', ['--version']).status === 0)('groff reads it without a warning', () => {
	const { status, stdout, stderr } = spawnSync('groff', ['-man', '-ww', '-Kutf8', '-Tutf8', '-rLL=80n'], {
		input: page,
		encoding: 'utf8',
	});
	expect(stderr).toBe('');
	expect(status).toBe(0);
	// Each letter of what is bold is struck twice.
	expect(stdout.replace(/.\u0008/g, '')).toContain('wayleave crawl');
});
