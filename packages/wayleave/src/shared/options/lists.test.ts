import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outcomes } from '@wayleave/crawler';
import { type OutputFormatName, outputFormats } from '@wayleave/crawler/formats';
import { formatNames } from '@wayleave/protocols/lint/format-names';
import { formatTitles } from '@wayleave/protocols/lint/formats';
import {
	fileVocabularies,
	fileVocabularyNames,
	pageSignalFields,
	preparePolicies,
	useNamed,
	uses,
	vocabularies,
} from '@wayleave/protocols/policy';
import { parseRobots2, permissionNames } from '@wayleave/protocols/robots2';
import type { Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';
import { isNoArchive, outFormatOf, outFormatsText } from '../output/formats.ts';
import { usesOf } from './client.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Every option of every command and of the commands below it. */
async function options(): Promise<{ command: string; option: Option }[]> {
	const found: { command: string; option: Option }[] = [];
	for (const { name, load } of commands) {
		const command = (await load())(recordingTerminal('/'), () => {}, {
			commands,
			run: (argv, terminal) => run(argv, terminal, commands),
		});
		for (const each of [command, ...command.commands])
			found.push(...each.options.map((option) => ({ command: `${name} ${each.name()}`, option })));
	}
	return found;
}

/** Source files of all packages, tests left out. */
function sources(): { file: string; text: string }[] {
	return readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
		.filter((file) => /^[a-z]+\/src\/.*\.ts$/.test(file) && !/\.test\.ts$|\/testing\//.test(file))
		.map((file) => ({ file, text: readFileSync(join(root, 'packages', file), 'utf8') }));
}

describe('U2-45: the uses', () => {
	it('are the permissions of robots2.txt, for the decision and for --use', () => {
		expect(uses).toEqual(permissionNames);
		expect(usesOf([...uses])).toEqual(uses);
		const { value } = parseRobots2(uses.map((use) => `${use}: no`).join('\n'));
		const policies = preparePolicies(
			{ robots2: { files: [{ source: 'https://site.example/robots2.txt', file: value }] } },
			{ token: 'AIWebIndex' },
		);
		for (const use of uses) expect([use, policies.decide(use, 'https://site.example/').effect]).toEqual([use, 'deny']);
	});

	it('have American spellings too', () => {
		expect(['SUMMARIZE', 'personalize', 'monetize', 'Train'].map(useNamed)).toEqual([
			'summarise',
			'personalise',
			'monetise',
			'train',
		]);
		expect(['', 'rate', 'editorialized', 'constructor'].map(useNamed)).toEqual(Array(4).fill(undefined));
	});

	it.each([
		// Uses that require reading the content first.
		['uses', ["'personalise'", "'monetise'", "'derivative'"], ['protocols/src/policy/uses.ts']],
		// Each field is written in its own vocabulary, and the list is made of these.
		['header fields of a page', pageSignalFields.map((name) => `'${name}'`), []],
		[
			'vocabularies',
			vocabularies.map(({ name }) => name),
			['protocols/src/policy/vocabularies/index.ts', 'protocols/src/policy/vocabularies/names.ts'],
		],
		['outcomes of a URL', outcomes.map((name) => `'${name}'`), ['crawler/src/model/outcome.ts']],
		['endings of --out', ['FILE.jsonl', 'FILE.parquet'], ['crawler/src/output-formats.ts']],
	])('%s are written as a list in one place', (_, words, places) => {
		// A list: all of them within a few lines.
		const lists = sources().filter(({ text }) => {
			const at = words.map((word) => text.indexOf(word));
			return !at.includes(-1) && Math.max(...at) - Math.min(...at) < 400;
		});
		expect(lists.map(({ file }) => file).sort()).toEqual(places);
	});
});

describe('the vocabularies', () => {
	it('with a file are marked so in the list of names, which the formats of lint are made of', () => {
		expect(fileVocabularyNames).toEqual(fileVocabularies.map(({ name }) => name));
		expect([...formatNames].sort()).toEqual(Object.keys(formatTitles).sort());
	});

	it.each(vocabularies)('$name: its name, file and option are in the documentation', ({ title, file, publish }) => {
		const page = (name: string) => readFileSync(join(root, 'docs', name), 'utf8').toLowerCase();
		expect(page('explanation/policy.md')).toContain(title.toLowerCase());
		if (file !== undefined) expect(page('how-to/lint.md')).toContain(file.path);
		if (publish !== undefined)
			expect(page('reference/policy-file.md')).toContain(`\`${publish.option.toLowerCase()}\``);
	});

	it('have different problem codes', () => {
		const codes = vocabularies.flatMap(({ problems }) => Object.keys(problems));
		expect(new Set(codes).size).toBe(codes.length);
	});
});

describe('U2-46: the outputs of --out', () => {
	const written = Object.values(outputFormats).map(({ written: text }) => text);

	it('is one table for the help of every command', async () => {
		const outs = (await options()).filter(
			({ option }) => option.long === '--out' && /FILE\.jsonl/.test(option.description),
		);
		expect(outs.map(({ command }) => command)).toEqual(['crawl crawl', 'convert convert', 'store export']);
		for (const { command, option } of outs) {
			const text = outFormatsText(command.startsWith('crawl') ? undefined : isNoArchive);
			expect(option.description, command).toContain(text);
		}
	});

	it('is in the documentation', () => {
		const text = readFileSync(join(root, 'docs/reference/sinks.md'), 'utf8');
		for (const name of written.filter((each) => each.startsWith('FILE'))) expect(text, name).toContain(name);
	});

	it.each([
		['pages.jsonl', 'jsonl'],
		['PAGES.NDJSON', 'jsonl'],
		['a/b.parquet', 'parquet'],
		['a.warc', 'warc'],
		['a.warc.gz', 'warc'],
		['manual/', 'folder'],
		['-', 'stdout'],
		['pages.csv', undefined],
		['jsonl', undefined],
		['', undefined],
	])('tells the format by the name: %s', (name, format) => {
		expect(outFormatOf(name)).toBe(format && outputFormats[format as OutputFormatName]);
	});
});
