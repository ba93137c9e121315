import { agentCategories } from '@wayleave/protocols/identity';
import { Command, Option } from 'commander';
import type { CommandFactory, Terminal } from '../../terminal/command.ts';
import type { AgentsFlags, ExplainFlags } from './flags.ts';

const work = () => import('./run.ts');

type Done = (exitCode: number) => void;

export const agentsCommand: CommandFactory = (terminal, done) =>
	new Command('agents')
		// Both have --json: what stands behind `explain` belongs to it.
		.enablePositionalOptions()
		.argument('[WORD]', 'only agents whose name, operator or category contains this')
		.addOption(new Option('--category <NAME>', 'only agents of this category').choices(agentCategories))
		.option('--json', 'one object per agent')
		.addHelpText('after', examples)
		.addCommand(explainCommand(terminal, done))
		.action(async (word: string | undefined, flags: AgentsFlags) =>
			done((await work()).listAgents(word, flags, terminal)),
		);

const examples = `
Examples:
  wayleave agents
  wayleave agents GPT
  wayleave agents --category data-harvester --json
  wayleave agents explain 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'`;

function explainCommand(terminal: Terminal, done: Done): Command {
	return new Command('explain')
		.description('Which agent a User-Agent names, what the policy does with it, and how the name could be verified.')
		.argument('<USER-AGENT>', 'the header as it was received; "" for none')
		.option('--identity <VALUE>', 'the X-Agent-Identity of the same request')
		.option('--ip <ADDRESS>', "verify the name for this address: fetches the operator's list and queries the DNS")
		.option('--config <FILE>', 'the policy file (default: wayleave.config.yaml, where there is one)')
		.option('--path <PATH>', 'the path of the requested page', '/')
		.option('--json', 'everything as one object')
		.action(async (userAgent: string, flags: ExplainFlags) =>
			done(await (await work()).explainAgent(userAgent, flags, terminal)),
		);
}
