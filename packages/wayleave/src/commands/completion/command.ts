import { Argument, Command } from 'commander';
import type { CommandFactory } from '../../terminal/command.ts';
import { shells } from './shells.ts';

const work = () => import('./run.ts');

export const completionCommand: CommandFactory = (terminal, done, { commands }) =>
	new Command('completion')
		.addArgument(new Argument('<SHELL>', 'for which shell').choices(shells))
		.addHelpText('after', examples)
		.action(async (shell: (typeof shells)[number]) =>
			done(await (await work()).runCompletion(shell, commands, terminal)),
		);

const examples = `
Examples:
  wayleave completion bash >> ~/.bashrc
  wayleave completion zsh > "\${fpath[1]}/_wayleave"
  wayleave completion fish > ~/.config/fish/completions/wayleave.fish`;
