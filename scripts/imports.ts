// Checks the imports between the files of each package, type imports included: npm run imports
// Tools that do this read TypeScript by the compiler's JavaScript API, which TypeScript 7 does not have.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
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

/** Which folders of a package may import which. */
export interface Layers {
	/** Lowest first. A folder imports only from lower layers, so that the folders of one layer do not know each other. */
	readonly order: readonly (readonly string[])[];
	/** Folder → the folders above it that may import it; without an entry all of them may. */
	readonly onlyFor?: Readonly<Record<string, readonly string[]>>;
}

const storeParts = ['schema', 'policies', 'pages', 'changes', 'leases', 'frontier', 'fleet', 'sql'];

export const layers: Readonly<Record<string, Layers>> = {
	crawler: {
		order: [
			['base', 'model', 'addresses'],
			['response'],
			['store/roles'],
			['store/schema'],
			['store/policies', 'store/pages', 'store/changes', 'store/leases'],
			['store/frontier'],
			['store/fleet'],
			['store/sql'],
			['read', 'sinks'],
			['politeness', 'discover', 'warc/read'],
			['warc/write'],
			['policy'],
			['documents', 'change', 'render'],
			['represent'],
			['config'],
			['fetch'],
			['inspect', 'engine'],
		],
		onlyFor: Object.fromEntries(storeParts.map((part) => [`store/${part}`, ['store', 'inspect', 'engine']])),
	},
};

/** One line for each import that goes up, sideways or where it may not. `index.ts` and tests import what they like. */
export function upwardImports(imports: Imports, { order, onlyFor = {} }: Layers): string[] {
	const folders = order.flat().sort((a, b) => b.length - a.length);
	const folderOf = (file: string) => folders.find((folder) => file.startsWith(`${folder}/`));
	const layerOf = (folder: string) => order.findIndex((layer) => layer.includes(folder));
	const isOutside = (file: string) => file === 'index.ts' || /\.test\.ts$|(?:^|\/)testing\//.test(file);
	return [...imports].flatMap(([file, imported]) => {
		if (isOutside(file)) return [];
		const from = folderOf(file);
		if (from === undefined) return [`${file} is in no folder of the layers`];
		return imported.flatMap((target) => {
			const to = folderOf(target);
			if (to === from) return [];
			if (to === undefined || layerOf(to) >= layerOf(from)) return [`${file} may not import ${target}`];
			const only = onlyFor[to];
			const isAllowed = only === undefined || only.some((folder) => `${from}/`.startsWith(`${folder}/`));
			return isAllowed ? [] : [`${file} may not import ${target}: only ${only.join(', ')} may`];
		});
	});
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
	const circles = newCircles(imports, knownCircles[name] ?? []).map(
		(circle) => `these files import each other in a circle: ${circle.join(', ')}`,
	);
	const upward = layers[name] === undefined ? [] : upwardImports(imports, layers[name]);
	return [...circles, ...upward].map((problem) => `packages/${name}/src: ${problem}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	const problems = packages.flatMap((name) => problemsOf(name, readImports(sourceOf(name))));
	for (const problem of problems) console.error(problem);
	if (problems.length > 0) {
		console.error('Move what both need to a file in a lower folder: docs/architecture.md shows the layers.');
		process.exitCode = 1;
	}
}
