import { Argument, Command } from 'commander';
import { shells } from '../cli/shells.ts';
import type { CommandFactory } from '../command.ts';

const work = () => import('../actions/completion.ts');

export const completionCommand: CommandFactory = (terminal, done) =>
	new Command('completion')
		.addArgument(new Argument('<SHELL>', 'for which shell').choices(shells))
		.addHelpText('after', examples)
		.action(async (shell: (typeof shells)[number]) => done(await (await work()).runCompletion(shell, terminal)));

const examples = `
Examples:
  wayleave completion bash >> ~/.bashrc
  wayleave completion zsh > "\${fpath[1]}/_wayleave"
  wayleave completion fish > ~/.config/fish/completions/wayleave.fish`;
