import { Command, Option } from 'commander';
import type { CommandFactory } from '../command.ts';
import { type Answers, questionNames, questions } from '../init/answers.ts';
import { defaultPolicyFile } from '../options/defaults.ts';

const work = () => import('../actions/init.ts');

export type InitFlags = { readonly [Name in keyof Answers]?: string } & {
	yes?: boolean;
	force?: boolean;
	out: string;
	json?: boolean;
};

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
