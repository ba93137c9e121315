import type { CommandInfo, OptionInfo } from '../../cli/command-tree.ts';
import type { shells } from './shells.ts';

/** The script that makes a shell complete the command line. */
export function completionScript(shell: (typeof shells)[number], tree: readonly CommandInfo[]): string {
	return { bash, zsh, fish }[shell](tree);
}

const flagsOf = ({ short, long }: OptionInfo): string[] => (short === undefined ? [long] : [short, long]);

const help = ['-h', '--help'];

/** Words that can follow a command, before any value. */
function wordsAfter({ path, subcommands, options, arguments: given }: CommandInfo): string[] {
	return [
		...subcommands.map(({ name }) => name),
		...given.flatMap(({ choices }) => choices),
		...options.flatMap(flagsOf),
		...help,
		...(path === '' ? ['-V', '--version', 'help'] : []),
	];
}

/** A word in single quotes, whatever it holds. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function bash(tree: readonly CommandInfo[]): string {
	const words = tree.map((each) => `\t\t${quoted(each.path)}) words=${quoted(wordsAfter(each).join(' '))} ;;`);
	const groups = tree.filter(({ path, subcommands }) => path !== '' && subcommands.length > 0);
	const values = tree.flatMap(({ path, options }) =>
		options
			.filter(({ takesValue }) => takesValue)
			.map((option) => {
				const patterns = flagsOf(option)
					.map((flag) => quoted(`${path} ${flag}`))
					.join('|');
				const reply = option.choices.length > 0 ? `values=${quoted(option.choices.join(' '))}` : 'values=';
				return `\t\t${patterns}) takes=${option.file ? 'file' : 'word'} ${reply} ;;`;
			}),
	);
	return `# bash completion for wayleave: source this, or put it into ~/.bashrc
_wayleave() {
	local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
	local command='' word words='' values='' takes='' at
	for ((at = 1; at < COMP_CWORD; at++)); do
		word="\${COMP_WORDS[at]}"
		case "$command" in
		'') [[ $word == -* ]] || command="$word" ;;
		${groups.map(({ path }) => quoted(path)).join('|')}) [[ $word == -* ]] || command="$command $word" ;;
		esac
	done
	case "$command $previous" in
${values.join('\n')}
	esac
	if [[ -n $takes ]]; then
		if [[ -n $values ]]; then COMPREPLY=($(compgen -W "$values" -- "$current"))
		elif [[ $takes == file ]]; then compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current"))
		fi
		return
	fi
	case "$command" in
${words.join('\n')}
	esac
	COMPREPLY=($(compgen -W "$words" -- "$current"))
	if [[ \${#COMPREPLY[@]} -eq 0 && $current != -* ]]; then compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _wayleave wayleave
`;
}

/** Of a description in \`_arguments\` and \`_describe\`: a colon ends it, and so does a bracket. */
const inZsh = (text: string): string => text.replace(/[\\[\]:]/g, '\\$&').replace(/\s+/g, ' ');

function zsh(tree: readonly CommandInfo[]): string {
	const functions = tree.map((each) => {
		const name = `_wayleave${each.path === '' ? '' : `_${each.path.replace(/[ -]/g, '_')}`}`;
		const specs = each.options.flatMap((option) =>
			flagsOf(option).map((flag) => {
				const value = option.takesValue ? `:value:${zshValue(option)}` : '';
				return quoted(`*${flag}[${inZsh(option.description)}]${value}`);
			}),
		);
		const common = [...specs, "'(-h --help)'{-h,--help}'[show help]'"];
		if (each.subcommands.length === 0) {
			const operands = each.arguments.map(({ name: called, choices }) =>
				quoted(`*:${inZsh(called)}:${choices.length > 0 ? `(${choices.join(' ')})` : '_files'}`),
			);
			return `${name}() {\n\t_arguments -s \\\n\t\t${[...common, ...operands].join(' \\\n\t\t')}\n}`;
		}
		const described = each.subcommands.map(({ name: called, description }) =>
			quoted(`${inZsh(called)}:${inZsh(description)}`),
		);
		const cases = each.subcommands.map(({ name: called }) => `\t\t${called}) ${name}_${called.replace(/-/g, '_')} ;;`);
		return `${name}() {
	local context state line
	local -a commands
	commands=(
		${described.join('\n\t\t')}
	)
	_arguments -C ${common.join(' ')} '1: :->command' '*:: :->rest'
	case $state in
	command) _describe command commands ;;
	rest)
		case $line[1] in
${cases.join('\n')}
		esac ;;
	esac
}`;
	});
	return `#compdef wayleave
# zsh completion for wayleave: save this as _wayleave in a folder of $fpath
${functions.join('\n\n')}

if [ "$funcstack[1]" = "_wayleave" ]; then
	_wayleave "$@"
else
	compdef _wayleave wayleave
fi
`;
}

function zshValue({ choices, file }: OptionInfo): string {
	if (choices.length > 0) return `(${choices.join(' ')})`;
	return file ? '_files' : ' ';
}

function fish(tree: readonly CommandInfo[]): string {
	const lines = tree.flatMap(({ path, subcommands, options, arguments: given }) => {
		const condition = `-n ${quoted(
			conditionOf(
				path,
				subcommands.map(({ name }) => name),
			),
		)}`;
		const begin = `complete -c wayleave ${condition}`;
		return [
			...subcommands.map(({ name, description }) => `${begin} -f -a ${quoted(name)} -d ${quoted(description)}`),
			...given.flatMap(({ choices }) => (choices.length > 0 ? [`${begin} -f -a ${quoted(choices.join(' '))}`] : [])),
			...options.map((option) => `${begin} ${fishOption(option)}`),
		];
	});
	return `# fish completion for wayleave: save this as ~/.config/fish/completions/wayleave.fish
${lines.join('\n')}
`;
}

/** Whether the words typed so far lead to a command, and to none below it. */
function conditionOf(path: string, subcommands: readonly string[]): string {
	if (path === '') return '__fish_use_subcommand';
	const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
	const below = subcommands.length > 0 ? [`not __fish_seen_subcommand_from ${subcommands.join(' ')}`] : [];
	return [...seen, ...below].join('; and ');
}

function fishOption({ short, long, description, takesValue, choices, file }: OptionInfo): string {
	const words = [
		...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
		`-l ${long.slice(2)}`,
		...(takesValue ? [file ? '-r -F' : '-x'] : []),
		...(choices.length > 0 ? [`-a ${quoted(choices.join(' '))}`] : []),
		`-d ${quoted(description)}`,
	];
	return words.join(' ');
}
