import { Command, Option } from 'commander';
import { defaultPolicyFile } from '../../shared/options/defaults.ts';
import type { CommandFactory } from '../../terminal/command.ts';
import { type Answers, questionNames, questions } from './answers.ts';
import type { InitFlags } from './flags.ts';

const work = () => import('./run.ts');

export const initCommand: CommandFactory = (terminal, done) => {
	const command = new Command('init')
		.option('-o, --out <FILE>', 'the file to write; - is stdout', defaultPolicyFile)
		.option('--yes', 'ask no questions; use the suggested value for each missing flag')
		.option('--force', 'overwrite an existing file')
		.option('--json', 'what was written, as one object');
	for (const name of questionNames) command.addOption(answerOption(name));
	return command.action(async (flags: InitFlags) => done(await (await work()).runInit(flags, terminal)));
};

function answerOption(name: keyof Answers): Option {
	const { text, values } = questions[name];
	const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
	const option = new Option(`${flag} <${values === undefined ? 'TEXT' : 'VALUE'}>`, text);
	return values === undefined ? option : option.choices(values);
}
