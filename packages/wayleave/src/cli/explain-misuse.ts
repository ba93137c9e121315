import { nearestWord } from '@wayleave/io/messages/nearest-word';
import type { Command, Option } from 'commander';
import { type Misuse, pathOf } from '../terminal/misuse.ts';

/** Option names of other tools, and ours. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
	agent: ['bot-name'],
	'user-agent': ['bot-name', 'agent'],
	contact: ['contact', 'bot-url'],
	wait: ['delay'],
	rate: ['delay'],
	'rate-limit': ['delay'],
	level: ['max-depth'],
	limit: ['max-pages'],
	jobs: ['concurrency'],
	parallel: ['concurrency'],
	workers: ['concurrency', 'threads'],
	silent: ['quiet'],
	debug: ['verbose'],
	output: ['out'],
	'output-file': ['out'],
	'output-document': ['out'],
	outfile: ['out'],
	destination: ['out'],
	'input-file': ['seeds'],
	type: ['format'],
	to: ['format'],
	port: ['listen'],
	host: ['listen'],
	bind: ['listen'],
	db: ['store'],
	database: ['store'],
	overwrite: ['force', 'replace'],
	'dry-run': ['dry-run', 'observe'],
};

/** Explains a mistake in a command line, and suggests a correction. */
export function explainMisuse(misuse: Misuse): string {
	const { command } = misuse;
	const { code, text } = worst(misuse);
	const see = `(See ${pathOf(command)} --help)`;
	const suggestion = suggest(code, text, command);
	return `${text}\n${suggestion === undefined ? see : `(Did you mean ${suggestion}?)`}`;
}

/** A misspelt option comes before one that is missing, which it may be. */
function worst({ error, command, argv }: Misuse): { code: string; text: string } {
	if (error.code === 'commander.missingMandatoryOptionValue' || error.code === 'commander.missingArgument') {
		const depth = pathOf(command).split(' ').length - 1;
		const unknown = command.parseOptions(argv.slice(depth)).unknown.find((word) => word.startsWith('-'));
		if (unknown !== undefined) return { code: 'commander.unknownOption', text: `unknown option '${unknown}'` };
	}
	return { code: error.code, text: error.message.replace(/^error: /, '') };
}

function suggest(code: string, text: string, command: Command): string | undefined {
	const [, quoted = ''] = /'(.*?)'/.exec(text) ?? [];
	if (code === 'commander.unknownOption') return nearestFlag(quoted, command);
	if (code === 'commander.unknownCommand')
		return nearestWord(
			quoted,
			command.commands.map((each) => each.name()),
		);
	if (code !== 'commander.invalidArgument') return undefined;
	const [, operand, argument] = /value '(.*?)' is invalid for argument '(.*?)'/s.exec(text) ?? [];
	if (operand !== undefined)
		return nearestWord(operand, command.registeredArguments.find((each) => each.name() === argument)?.argChoices ?? []);
	const [, flags, value = ''] = /option '(.*?)' argument '(.*?)' is invalid/s.exec(text) ?? [];
	return nearestWord(value, command.options.find((option) => option.flags === flags)?.argChoices ?? []);
}

function nearestFlag(written: string, command: Command): string | undefined {
	const visible = command.options.filter(({ hidden }) => !hidden);
	// `-O file`, as other tools have it.
	const short = visible.find((option) => option.short?.toLowerCase() === written.toLowerCase());
	if (short !== undefined) return short.short;
	if (!written.startsWith('--')) return undefined;
	const name = written.slice(2).replace(/=.*$/s, '');
	const byName = new Map(visible.flatMap((option) => namesOf(option).map((each) => [each, option])));
	// A word of another tool may be misspelt too.
	const near = nearestWord(name, byName.keys()) ?? nearestWord(name, Object.keys(otherNames)) ?? '';
	const suggestion = [...(otherNames[name] ?? []), near, ...(otherNames[near] ?? [])].find((each) => byName.has(each));
	return suggestion === undefined ? undefined : byName.get(suggestion)?.long;
}

const namesOf = ({ long }: Option): string[] => (long === undefined ? [] : [long.replace(/^--/, '')]);
