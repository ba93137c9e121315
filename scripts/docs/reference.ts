// Writes the pages that are made from the code: npm run docs:reference
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { reasonTexts } from '@wayleave/crawler';
import { publishProblems } from '@wayleave/gateway/problems';
import { aiDocumentProblems } from '@wayleave/protocols/aidocument/problems';
import { rangesProblems } from '@wayleave/protocols/jafar/problems';
import { pagedigestProblems } from '@wayleave/protocols/pagedigest/problems';
import { policyProblems } from '@wayleave/protocols/policy/problems';
import { robotsProblems } from '@wayleave/protocols/robots/problems';
import { robots2Problems } from '@wayleave/protocols/robots2/problems';
import { somProblems } from '@wayleave/protocols/som/problems';
import { type CommandInfo, commandTree } from '../../packages/wayleave/src/cli/command-tree.ts';
import { commands } from '../../packages/wayleave/src/command-list.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const problemsFolder = join(root, 'docs/problems');

const cell = (text: string): string =>
	text.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*');

/** `docs/reference/commands.md`: every command with its arguments and options. */
export async function commandsPage(): Promise<string> {
	const [, ...tree] = await commandTree(commands);
	const leaves = tree.filter((command) => command.subcommands.length === 0 || command.arguments.length > 0);
	return [
		'# Commands',
		'',
		'Every command of `wayleave` with its options. `npm run docs:reference` writes this page from the same table as',
		'`--help`, which has examples too. What each exit code means: [exit codes](exit-codes.md). Most options can also be set',
		'in a file or by a variable: [configuration](configuration.md).',
		'',
		'| command | what it does |',
		'|---|---|',
		...leaves.map(
			({ path, description }) => `| [${path}](#wayleave-${path.replaceAll(' ', '-')}) | ${cell(description)} |`,
		),
		...leaves.flatMap(commandText),
		'',
	].join('\n');
}

function commandText({ path, description, options, arguments: given, help }: CommandInfo): string[] {
	const usage = help.split('\n')[0]?.replace('Usage: ', '') ?? '';
	return [
		'',
		`## wayleave ${path}`,
		'',
		description,
		'',
		`\`${usage}\``,
		'',
		'| argument or option | meaning |',
		'|---|---|',
		...given.map(({ name, description: text, choices }) => `| \`${name}\` | ${cell(text + oneOf(choices))} |`),
		...options.map(
			({ flags, description: text, choices, defaultText }) =>
				`| \`${flags.replaceAll('|', '\\|')}\` | ${cell(text + oneOf(choices, defaultText))} |`,
		),
	];
}

function oneOf(choices: readonly string[], defaultText?: string): string {
	const notes = [
		...(choices.length === 0 ? [] : [`one of ${choices.join(', ')}`]),
		...(defaultText === undefined ? [] : [`default ${defaultText}`]),
	];
	return notes.length === 0 ? '' : ` (${notes.join('; ')})`;
}

/** Group of the index → whether a code belongs to it. The first that fits takes the code. */
const groups: readonly (readonly [string, (code: string) => boolean])[] = [
	['Why a URL was not fetched, or not read', (code) => code in reasonTexts],
	['Comparing files (lint)', (code) => code.startsWith('lint-')],
	['A live site (check-live)', (code) => code.startsWith('live-')],
	['robots.txt', (code) => code in robotsProblems],
	['robots2.txt', (code) => code in robots2Problems],
	['Content-Usage, Content-Signal, TDMRep, RSL, robots tags', (code) => code in policyProblems],
	['SOM', (code) => code in somProblems],
	['pagedigest manifests', (code) => code in pagedigestProblems || code.startsWith('pagedigest-')],
	['IP ranges', (code) => code in rangesProblems],
	['AIDocument', (code) => code in aiDocumentProblems],
	['Publishing', (code) => code in publishProblems],
	['Web archives', (code) => code.startsWith('warc-')],
	['Sitemaps', (code) => code.startsWith('sitemap')],
	['Pages, rendering and the service', () => true],
];

/** `docs/problems/README.md`: every problem code with the first sentence of its page. */
export function problemsIndex(): string {
	const codes = readdirSync(problemsFolder)
		.filter((name) => name.endsWith('.md') && name !== 'README.md')
		.map((name) => name.slice(0, -3))
		.sort();
	const left = new Set(codes);
	const lines = groups.flatMap(([title, belongs]) => {
		const own = [...left].filter(belongs);
		for (const code of own) left.delete(code);
		if (own.length === 0) return [];
		return [
			'',
			`## ${title}`,
			'',
			'| code | what it means |',
			'|---|---|',
			...own.map((code) => `| [${code}](${code}.md) | ${firstSentence(code)} |`),
		];
	});
	return [
		'# Problem codes',
		'',
		'Each code that a command, a file check or the service can report has a page: what it means, what follows, and how to',
		'fix it. `npm run docs:reference` writes this index.',
		...lines,
		'',
	].join('\n');
}

function firstSentence(code: string): string {
	const [, text = ''] = readFileSync(join(problemsFolder, `${code}.md`), 'utf8').split(/\n{2,}/);
	const words = text
		.replace(/^\*\*What it means\.\*\*\s*/, '')
		.replace(/\s+/g, ' ')
		.trim();
	// A point inside of code, a number or an abbreviation does not end a sentence.
	const end = /^(?:`[^`]*`|[^`])*?\.(?= [A-Z`]|$)/.exec(words)?.[0] ?? words;
	return end.replaceAll('|', '\\|');
}

export const generatedPages: Readonly<Record<string, () => string | Promise<string>>> = {
	'docs/reference/commands.md': commandsPage,
	'docs/problems/README.md': problemsIndex,
};

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
	for (const [file, write] of Object.entries(generatedPages)) writeFileSync(join(root, file), await write());
