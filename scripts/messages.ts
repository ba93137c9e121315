// Lists every help text and every sentence that a user can see, so that they can be read in one sitting.
// Usage: npm run messages [FILE]    (default: .results/messages.md)
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { parseAst } from 'vitest/node';
import { commands, run } from '../packages/wayleave/src/index.ts';
import { recordingTerminal } from '../packages/wayleave/src/testing/recorder.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** A text in the source that has at least three words. */
export interface Sentence {
	readonly file: string;
	readonly line: number;
	/** Expressions inside are written as ‹expression›. */
	readonly text: string;
}

/** What `--help` prints for each command and each command below it. */
export async function helpTexts(): Promise<{ command: string; text: string }[]> {
	const texts: { command: string; text: string }[] = [];
	const show = async (path: readonly string[]) => {
		const terminal = recordingTerminal('/');
		await run([...path, '--help'], terminal, commands);
		texts.push({ command: ['wayleave', ...path].join(' '), text: terminal.screen().trimEnd() });
	};
	await show([]);
	for (const { name, load } of commands) {
		await show([name]);
		const command: Command = (await load())(recordingTerminal('/'), () => {}, {
			commands,
			run: (argv, from) => run(argv, from, commands),
		});
		for (const child of command.commands) await show([name, child.name()]);
	}
	return texts;
}

/** The sentences in the sources of all packages and of the dashboard, in the order of the files. */
export function sentences(): Sentence[] {
	return sourceFiles().flatMap((file) => sentencesOf(relative(root, file), readFileSync(file, 'utf8')));
}

function sourceFiles(): string[] {
	const folders = [...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`), 'apps/dashboard/src'];
	return folders.flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$|\.d\.ts$|(^|\/)testing\/|model-data/.test(name))
			.sort()
			.map((name) => join(root, folder, name)),
	);
}

interface Node {
	readonly type: string;
	readonly start: number;
	readonly end: number;
	readonly [key: string]: unknown;
}

/** Texts of three words and more in one file. */
export function sentencesOf(file: string, source: string): Sentence[] {
	const found: Sentence[] = [];
	const keep = (start: number, text: string) => {
		const words = text.match(/\p{L}{2,}/gu) ?? [];
		if (words.length >= 3 && /\p{L}[ ,:;]+\p{L}/u.test(text))
			found.push({ file, line: source.slice(0, start).split('\n').length, text: text.replace(/\s+/g, ' ').trim() });
	};
	const visit = (value: unknown): void => {
		if (Array.isArray(value)) for (const each of value) visit(each);
		if (!isNode(value)) return;
		if (value.type === 'ImportDeclaration' || value.type.startsWith('TS')) {
			// `x as T` and `x satisfies T` have texts in them, types have none.
			visit(value.expression);
			return;
		}
		if (value.type === 'TaggedTemplateExpression' && /^sql\b/.test(source.slice(value.start))) {
			// A query is not a sentence; a value put into it may be.
			visit((value.quasi as Node).expressions);
			return;
		}
		if (value.type === 'CallExpression' && source.startsWith('statements(', value.start)) return; // SQL texts
		if ((value.type === 'Literal' || value.type === 'JSXText') && typeof value.value === 'string')
			keep(value.start, value.value);
		if (value.type === 'TemplateLiteral') {
			const { quasis, expressions } = value as unknown as {
				quasis: { value: { cooked: string } }[];
				expressions: Node[];
			};
			const parts = quasis.map(({ value: { cooked } }, at) => {
				const expression = expressions[at];
				return cooked + (expression === undefined ? '' : `‹${source.slice(expression.start, expression.end)}›`);
			});
			keep(value.start, parts.join(''));
		}
		for (const [key, each] of Object.entries(value)) if (key !== 'parent') visit(each);
	};
	visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
	return found;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

function listing(help: Awaited<ReturnType<typeof helpTexts>>, found: readonly Sentence[]): string {
	const parts = ['# Help texts', ...help.map(({ command, text }) => `## ${command}\n\n${text}`), '# Sentences'];
	let file = '';
	for (const sentence of found) {
		if (sentence.file !== file) parts.push(`## ${sentence.file}`);
		file = sentence.file;
		parts.push(`${sentence.line}: ${sentence.text}`);
	}
	return `${parts.join('\n\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const out = process.argv[2] ?? join(root, '.results/messages.md');
	const [help, found] = [await helpTexts(), sentences()];
	mkdirSync(dirname(out), { recursive: true });
	writeFileSync(out, listing(help, found));
	console.log(`${help.length} help texts and ${found.length} sentences: ${relative(process.cwd(), out)}`);
}
