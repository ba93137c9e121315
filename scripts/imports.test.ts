import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findCircles, newCircles, packages, problemsOf, readImports, sourceOf } from './imports.ts';

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
