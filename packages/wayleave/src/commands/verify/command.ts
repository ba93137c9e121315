import { Command } from 'commander';
import { withPackage } from '../../shared/optional-packages.ts';
import { clientProxyOption } from '../../shared/options/agent.ts';
import { publicResolvers } from '../../shared/options/defaults.ts';
import { list } from '../../shared/options/numbers.ts';
import type { CommandFactory } from '../../terminal/command.ts';
import type { VerifyFlags } from './flags.ts';

const work = () => withPackage('@wayleave/service', 'verify', () => import('./run.ts'));

export const verifyCommand: CommandFactory = (terminal, done) => {
	const command = new Command('verify')
		.argument('<DOMAIN>', 'the domain to prove')
		.option('--store <URL>', 'where tokens and proofs are kept', 'sqlite:./wayleave.db')
		.option('--new', 'issue a new token (default: only the first time)')
		.option('--resolver <ADDRESS>', `DNS servers to query (repeatable; default ${publicResolvers.join(', ')})`, list)
		.option('--contact <ADDRESS>', 'how sites reach you: an e-mail address or the URL of a page')
		.option('--bot-url <URL>', 'the page about your verifier, instead of --contact')
		.addOption(clientProxyOption())
		.option('--json', 'print the registration and everything that was found, as JSON');
	command.addHelpText('after', examples);
	return command.action(async (domain: string, flags: VerifyFlags) =>
		done(await (await work()).runVerify(domain, flags, terminal)),
	);
};

const examples = `
Examples:
  wayleave verify example.com          # the first time: what to publish
  wayleave verify example.com          # then: checks the DNS record and the file`;
