import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scan } from './language.ts';

// Biome enforces the rest of our TypeScript dialect; it has no rule for these.

const packages = join(import.meta.dirname, '../packages');

const sources = readdirSync(packages, { recursive: true, encoding: 'utf8' }).filter(
	(name) => /\.tsx?$/.test(name) && !/(?:^|\/)(?:node_modules|dist|fixtures)\//.test(name),
);

it('private state is in #private fields; the keyword remains for constructors, which cannot be #private', () => {
	const found = sources.flatMap((name) =>
		readFileSync(join(packages, name), 'utf8')
			.split('\n')
			.filter((line) =>
				/^\s*(?:(?:static|override|readonly|async) )*(?:private|protected) (?!constructor\b)\w/.test(line),
			)
			.map((line) => `${name}: ${line.trim()}`),
	);
	expect(sources.length).toBeGreaterThan(500);
	expect(found).toEqual([]);
});

/** Lines between a comment and the regular expression that it explains, at most. */
const maxDistance = 3;

it.each(['crawler', 'extract', 'gateway', 'io', 'mcp', 'protocols', 'service', 'wayleave'])(
	'a comment explains each regular expression of %s longer than 60 characters',
	(folder) => {
		const found = sources
			.filter((name) => name.startsWith(`${folder}/src/`) && !/\.test\.ts$|\/testing\//.test(name))
			.flatMap((name) =>
				scan(readFileSync(join(packages, name), 'utf8'))
					.patterns.filter(({ text }) => text.length > 60)
					.filter(({ line, comment }) => comment === undefined || line - comment > maxDistance)
					.map(({ line, text }) => `${name}:${line} ${text}`),
			);
		expect(found).toEqual([]);
	},
);

it('a comment far above a regular expression does not explain it', () => {
	const { patterns } = scan('// One.\nconst a = 1;\n\n\n\nconst b = /x{2}/;\n/* Two. */\nconst c = /y/;');
	expect(patterns).toEqual([
		{ line: 6, text: '/x{2}/', comment: 1 },
		{ line: 8, text: '/y/', comment: 7 },
	]);
});
