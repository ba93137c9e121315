import type { CommandInfo, OptionInfo } from '../packages/wayleave/src/cli/command-tree.ts';
import { exitCodesOf } from '../packages/wayleave/src/cli/exit-codes.ts';

/**
 * The manual page `wayleave(1)`, in the language of man(7), from the same table as help.
 *
 * @param date of the build, `2026-01-31`
 */
export function manPage(tree: readonly CommandInfo[], { version, date }: { version: string; date: string }): string {
	const [program, ...commands] = tree;
	return [
		`.TH WAYLEAVE 1 "${date}" "wayleave ${version}" "User Commands"`,
		'.SH NAME',
		`wayleave \\- ${roff(program?.description ?? '')}`,
		'.SH SYNOPSIS',
		'.B wayleave',
		'.I COMMAND',
		'.RI [ options ]',
		'.SH COMMANDS',
		...commands.flatMap(commandText),
		'.SH EXIT STATUS',
		...exitCodesOf('').flatMap(([code, meaning]) => ['.TP', `.B ${code}`, roff(meaning)]),
		'.SH ENVIRONMENT',
		'.TP',
		'.B WAYLEAVE_BOT_URL, WAYLEAVE_DELAY, WAYLEAVE_STORE',
		'the options of the commands that fetch; a flag takes precedence',
		'.TP',
		'.B WAYLEAVE_DEBUG',
		'show where an error comes from',
		'.SH FILES',
		'.TP',
		'.I wayleave.config.yaml',
		'the policy file of a site; its section',
		'.B crawl:',
		'has options of the commands that fetch',
		'.TP',
		'.I ~/.config/wayleave/config.yaml',
		'the same section, for all folders of the user',
		'',
	].join('\n');
}

function commandText({ path, description, subcommands, options, arguments: given }: CommandInfo): string[] {
	const operands = given.map(({ name }) => ` ${name}`).join('');
	const [, found] = exitCodesOf(path)[1] ?? [];
	return [
		`.SS wayleave ${roff(path + operands)}`,
		roff(description),
		...given.flatMap(({ name, description: text }) => (text === '' ? [] : ['.TP', `.I ${roff(name)}`, roff(text)])),
		...(subcommands.length > 0 ? [] : options.flatMap(optionText)),
		...(subcommands.length > 0 || found === undefined || found === 'not used'
			? []
			: ['.PP', `Exit status 1: ${roff(found)}.`]),
	];
}

const optionText = ({ flags, description, choices }: OptionInfo): string[] => [
	'.TP',
	`.B ${roff(flags)}`,
	roff(choices.length > 0 ? `${description}: ${choices.join(', ')}` : description),
];

/** Text that troff takes literally: a hyphen stays one, and a point or a quote does not begin a request. */
const roff = (text: string): string =>
	text
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replace(/^(?=[.'])/gm, '\\&')
		.replace(/\s+/g, ' ');
