// Checks the imports between the files of each package, type imports included: npm run imports
// Tools that do this read TypeScript by the compiler's JavaScript API, which TypeScript 7 does not have.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** File → files that it imports; all paths relative to the `src` folder, with `/`. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** `import … from './x.ts'`, `export … from './x.ts'`, `import './x.ts'`, over several lines too. */
const statement = /^(?:import|export)\b[^'";]*?['"](\.[^'"\n]+)['"]/gm;
/** `import('./x.ts')`, as an expression or as a type. */
const expression = /\bimport\(\s*['"](\.[^'"\n]+)['"]/g;

export function readImports(src: string): Imports {
	const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
		.map((file) => file.split(sep).join('/'))
		.filter((file) => /\.tsx?$/.test(file))
		.sort();
	return new Map(files.map((file) => [file, importsOf(file, readFileSync(join(src, file), 'utf8'), src)]));
}

function importsOf(file: string, text: string, src: string): string[] {
	const found = [...text.matchAll(statement), ...text.matchAll(expression)].map(([, path = '']) =>
		posix.join(posix.dirname(file), path),
	);
	return [...new Set(found)].filter((path) => !path.startsWith('..') && existsSync(join(src, path)));
}

/** Groups of files in which each reaches each other by imports (Tarjan's strongly connected components). */
export function findCircles(imports: Imports): string[][] {
	const order = new Map<string, number>();
	const low = new Map<string, number>();
	const stack: string[] = [];
	const circles: string[][] = [];
	const visit = (file: string): void => {
		order.set(file, order.size);
		low.set(file, order.get(file) ?? 0);
		stack.push(file);
		for (const next of imports.get(file) ?? []) {
			if (!order.has(next)) visit(next);
			if (stack.includes(next)) low.set(file, Math.min(low.get(file) ?? 0, low.get(next) ?? 0));
		}
		if (low.get(file) !== order.get(file)) return;
		const circle = stack.splice(stack.indexOf(file));
		if (circle.length > 1 || imports.get(file)?.includes(file)) circles.push(circle.sort());
	};
	for (const file of imports.keys()) if (!order.has(file)) visit(file);
	return circles;
}

/** Circles with a file that `known` does not list. */
export function newCircles(imports: Imports, known: readonly string[]): string[][] {
	return findCircles(imports).filter((circle) => circle.some((file) => !known.includes(file)));
}

const root = fileURLToPath(new URL('../', import.meta.url));
export const packages = readdirSync(join(root, 'packages')).filter((name) => existsSync(sourceOf(name)));
export function sourceOf(name: string): string {
	return join(root, 'packages', name, 'src');
}

/** Package → files that are in a circle today. Only remove entries. */
export const knownCircles = JSON.parse(
	readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'known-circles.json'), 'utf8'),
) as Readonly<Record<string, readonly string[]>>;

/** One line for each import that breaks a rule. */
export function problemsOf(name: string, imports: Imports): string[] {
	return newCircles(imports, knownCircles[name] ?? []).map(
		(circle) => `packages/${name}/src: these files import each other in a circle: ${circle.join(', ')}`,
	);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	const problems = packages.flatMap((name) => problemsOf(name, readImports(sourceOf(name))));
	for (const problem of problems) console.error(problem);
	if (problems.length > 0) {
		console.error(
			`Move what they share to a file that imports none of them (${relative(root, 'docs/architecture.md')}).`,
		);
		process.exitCode = 1;
	}
}
