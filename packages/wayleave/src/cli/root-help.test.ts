import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { version } from '../terminal/version.ts';
import { recordingTerminal } from '../testing/recorder.ts';
import { exitLine } from './exit-codes.ts';
import { asksForRootHelp, rootDescription, rootHelp } from './root-help.ts';

describe('the list of commands', () => {
	it.each([100, 80, 61, 200, 40])('is what commander would show in %i columns', (columns) => {
		let shown = '';
		const program = new Command('wayleave').description(rootDescription).version(version);
		program.configureOutput({
			writeOut: (text) => {
				shown += text;
			},
			getOutHelpWidth: () => columns,
		});
		for (const { name, description } of commands) program.addCommand(new Command(name).description(description));
		program.addHelpText('after', `\n${exitLine('')}\nwayleave COMMAND --help shows the options of a command.`);
		program.outputHelp();
		expect(rootHelp(commands, columns)).toBe(shown);
	});

	it.each([[[]], [['--help']], [['-h']], [['help']], [['help', '--help']]])('is shown for %j', async (argv) => {
		const terminal = recordingTerminal('/');
		expect(await run(argv, terminal, commands)).toBe(0);
		expect(terminal.stdout()).toBe(rootHelp(commands, terminal.columns));
	});

	it('is not asked for by anything else', () => {
		for (const argv of [['crawl'], ['help', 'crawl'], ['--help', 'crawl'], ['--version'], ['nope']])
			expect(asksForRootHelp(argv)).toBe(false);
	});
});
