import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
	findCircles,
	foreignImports,
	type Layers,
	layers,
	newCircles,
	packages,
	problemsOf,
	readImports,
	sourceOf,
	upwardImports,
} from './imports.ts';

describe('the check of imports', () => {
	it.each([
		["import { b } from './b.ts';", 'value'],
		["import type { B } from './b.ts';", 'type'],
		["import {\n\ta,\n\ttype B,\n} from './b.ts';", 'several lines'],
		["export * from './b.ts';", 're-export'],
		["export const b = () => import('./b.ts');", 'dynamic'],
		["export type B = import('./b.ts').B;", 'type expression'],
		["import './b.ts';", 'side effect'],
	])('finds a circle through %j (%s)', (line) => {
		const imports = readTree({ 'a.ts': line, 'b.ts': "import { a } from './c/c.ts';", 'c/c.ts': "import '../a.ts';" });
		expect(findCircles(imports)).toEqual([['a.ts', 'b.ts', 'c/c.ts']]);
		expect(newCircles(imports, ['a.ts', 'b.ts', 'c/c.ts'])).toEqual([]);
		expect(newCircles(imports, ['a.ts', 'b.ts'])).toHaveLength(1);
	});

	it('finds no circle in a diamond', () => {
		const tree = {
			'a.ts': "import './b.ts';\nimport './c.ts';",
			'b.ts': "import './d.ts';",
			'c.ts': "import './d.ts';",
		};
		expect(findCircles(readTree({ ...tree, 'd.ts': 'export {};' }))).toEqual([]);
	});
});

describe('the check of layers', () => {
	const rules: Layers = { order: [['base'], ['low', 'side'], ['top']], onlyFor: { side: ['none'] } };
	it.each([
		['top/a.ts', '../base/b.ts', []],
		['low/a.ts', './b.ts', []],
		['low/a.test.ts', '../top/b.ts', []],
		['low/testing/a.ts', '../../top/b.ts', []],
		['index.ts', './top/b.ts', []],
		['base/a.ts', '../top/b.ts', ['base/a.ts may not import top/b.ts']],
		['low/a.ts', '../side/b.ts', ['low/a.ts may not import side/b.ts']],
		['low/a.ts', '../loose.ts', ['loose.ts is in no folder of the layers', 'low/a.ts may not import loose.ts']],
		['top/a.ts', '../side/b.ts', ['top/a.ts may not import side/b.ts: only none may']],
	])('%s imports %s', (file, path, found) => {
		const target = join(dirname(file), path);
		const imports = readTree({ [file]: `import '${path}';`, [target]: 'export {};' });
		expect(upwardImports(imports, rules).sort()).toEqual(found);
	});

	it('finds imports between the subfolders of a folder that are kept apart', () => {
		const imports = readTree({
			'x/a/run.ts': "import './flags.ts';\nimport '../b/run.ts';",
			'x/a/flags.ts': '',
			'x/b/run.ts': '',
			'main.ts': "import './x/a/run.ts';",
		});
		const rules: Layers = { order: [['x']], top: ['main.ts'], apart: ['x'] };
		expect(upwardImports(imports, rules)).toEqual(['x/a/run.ts may not import x/b/run.ts']);
	});

	it('checks only the folder that holds the layers', () => {
		const imports = readTree({
			'x/a/one.ts': "import '../../other.ts';\nimport '../b/two.ts';",
			'x/b/two.ts': '',
			'other.ts': "import './x/b/two.ts';",
		});
		const rules: Layers = { within: 'x', order: [['x/a'], ['x/b']] };
		expect(upwardImports(imports, rules)).toEqual(['x/a/one.ts may not import x/b/two.ts']);
	});

	it.each(Object.keys(layers))('docs/explanation/architecture.md lists the layers of packages/%s', (name) => {
		const page = readFileSync(join(import.meta.dirname, '../docs/explanation/architecture.md'), 'utf8');
		const [, ...sections] = page.split(/^## /m);
		const section = sections.find((text) => text.includes(`\`packages/${name}/src\``)) ?? '';
		const rows = [...section.matchAll(/^\| \d+ \| ((?:`[\w/-]+\/`[ ,]*)+)\|/gm)];
		const listed = rows.map(([, cell = '']) => [...cell.matchAll(/`([\w/-]+)\/`/g)].map(([, folder]) => folder));
		expect(listed).toEqual(layers[name]?.order);
	});
});

it('a package may not import one that is above it', () => {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-imports-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	writeFileSync(join(folder, 'a.ts'), "import { x } from '@wayleave/mcp/http';\nimport '@wayleave/crawler';\n");
	writeFileSync(join(folder, 'a.test.ts'), "import { x } from '@wayleave/mcp/http';\n");
	expect(foreignImports('service', folder)).toEqual(['a.ts may not import @wayleave/mcp']);
});

it.each(packages)('packages/%s has no import that breaks the rules', (name) => {
	const imports = readImports(sourceOf(name));
	expect([...imports.values()].flat().length).toBeGreaterThan(imports.size);
	expect(problemsOf(name, imports)).toEqual([]);
});

function readTree(files: Readonly<Record<string, string>>): ReturnType<typeof readImports> {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-imports-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, name)), { recursive: true });
		writeFileSync(join(folder, name), `${text}\n`);
	}
	return readImports(folder);
}
