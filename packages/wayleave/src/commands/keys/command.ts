import { Command, InvalidArgumentError } from 'commander';
import { withPackage } from '../../shared/optional-packages.ts';
import { scopeNames, usualScopes } from '../../shared/options/defaults.ts';
import { list, wholeNumber } from '../../shared/options/numbers.ts';
import type { CommandFactory } from '../../terminal/command.ts';
import type { CreateFlags, RotateFlags, StoreFlags } from './flags.ts';

const work = () => withPackage('@wayleave/service', 'keys', () => import('./run.ts'));

export const keysCommand: CommandFactory = (terminal, done) => {
	const keys = new Command('keys').addHelpText('after', examples);
	/** A subcommand that works on the keys of a store. */
	const add = (command: Command) =>
		command
			.option('--store <URL>', 'the store of the service', 'sqlite:./wayleave.db')
			.option('--json', 'JSON on stdout');
	keys.addCommand(
		add(new Command('create'))
			.description('Create a key. Its token is shown once.')
			.requiredOption('--name <NAME>', 'a name for the key, for people')
			.option(
				'--scope <SCOPES>',
				`what the key permits: ${scopeNames.join(', ')} (default: ${usualScopes.join(', ')})`,
				list,
			)
			.option('--rate <N>', 'requests per minute', wholeNumber(1))
			.option('--quota <N>', 'documents per day', wholeNumber(1))
			.option('--expires <WHEN>', 'days from now, such as 90d, or a date', readExpiry)
			.action(async (flags: CreateFlags) => done(await (await work()).create(flags, terminal))),
	);
	keys.addCommand(
		add(new Command('list'))
			.description('List all keys, without their secrets.')
			.action(async (flags: StoreFlags) => done(await (await work()).show(flags, terminal))),
	);
	keys.addCommand(
		add(new Command('revoke'))
			.description('Revoke a key for good; a running service notices within a second.')
			.argument('<ID>')
			.action(async (id: string, flags: StoreFlags) => done(await (await work()).revoke(id, flags, terminal))),
	);
	keys.addCommand(
		add(new Command('rotate'))
			.description('Give a key a new token; the old token stays valid for --grace hours.')
			.argument('<ID>')
			.option('--grace <HOURS>', 'how long', wholeNumber(0), 24)
			.action(async (id: string, flags: RotateFlags) => done(await (await work()).rotate(id, flags, terminal))),
	);
	return keys;
};

const examples = `
Examples:
  wayleave keys create --name "Ada" --rate 60 --quota 5000 --expires 90d
  wayleave keys list
  wayleave keys rotate 3k9x0c1m2p`;

function readExpiry(text: string): number {
	const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
	const time = days === undefined ? Date.parse(text) : Date.now() + Number(days) * 86_400_000;
	if (Number.isNaN(time) || time <= Date.now())
		throw new InvalidArgumentError('expected a time span such as 90d or a future date.');
	return time;
}
