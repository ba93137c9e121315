import { canonicalAddress } from '@wayleave/protocols/jafar';
import { Command, InvalidArgumentError } from 'commander';
import type { CommandFactory, Terminal } from '../../terminal/command.ts';
import type { BuildFlags, CheckFlags, LookupFlags } from './flags.ts';
import type { PublishFlags } from './publish.ts';

const work = () => import('./run.ts');

type Done = (exitCode: number) => void;

export const rangesCommand: CommandFactory = (terminal, done) =>
	new Command('ranges')
		.addCommand(buildCommand(terminal, done))
		.addCommand(lookupCommand(terminal, done))
		.addCommand(mergeCommand(terminal, done))
		.addCommand(checkCommand(terminal, done));

const withPublishing = (command: Command): Command =>
	command
		.option('--notes <TEXT>', 'a remark for people')
		.option('--aggregate', 'join ranges where that changes the result for no address')
		.option('--allow-empty', 'allow an empty list, which declares that no address is yours');

function buildCommand(terminal: Terminal, done: Done): Command {
	return withPublishing(new Command('build'))
		.description('Build a list to publish, from lines of "CIDR [SERVICE]" or bare addresses.')
		.argument('[FILE...]', 'files of lines; - or nothing for stdin')
		.option('--service <NAME>', 'the service for lines that name no service')
		.action(async (names: string[], flags: BuildFlags) => done((await work()).build(names, flags, terminal)));
}

function lookupCommand(terminal: Terminal, done: Done): Command {
	return new Command('lookup')
		.description('Show which lists contain an address, by which range and for which service.')
		.argument('<FILE...>', 'lists, or lines of ranges')
		.requiredOption('--ip <ADDRESS>', 'an address (repeatable)', addAddress)
		.option('--json', 'one object per address')
		.action(async (names: string[], flags: LookupFlags) => done((await work()).lookup(names, flags, terminal)));
}

function addAddress(text: string, previous: string[] = []): string[] {
	if (canonicalAddress(text) === undefined) throw new InvalidArgumentError('not an IPv4 or IPv6 address.');
	return [...previous, text];
}

function mergeCommand(terminal: Terminal, done: Done): Command {
	return withPublishing(new Command('merge'))
		.description('Merge lists into one, and tag each range with its operator.')
		.argument('<[OPERATOR=]FILE...>', 'lists, or lines of ranges; the operator is the name of the file unless given')
		.action(async (names: string[], flags: PublishFlags) => done((await work()).merge(names, flags, terminal)));
}

function checkCommand(terminal: Terminal, done: Done): Command {
	return new Command('check')
		.description('Find errors in lists, and show what changed since a previous version.')
		.argument('<FILE...>', 'lists, or lines of ranges')
		.option('--previous <FILE>', 'the version published before (with one file)')
		.option('--json', 'one object per problem or change')
		.action(async (names: string[], flags: CheckFlags) => done((await work()).check(names, flags, terminal)));
}
