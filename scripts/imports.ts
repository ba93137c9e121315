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
	/** Files beside the folders that may import all of them, besides `index.ts`. */
	readonly top?: readonly string[];
	/** Folders whose subfolders do not import each other. */
	readonly apart?: readonly string[];
	/** The folder with all these layers: files elsewhere are not checked. */
	readonly within?: string;
}

const storeParts = [
	'schema',
	'policies',
	'pages',
	'changes',
	'leases',
	'watch',
	'frontier',
	'fleet',
	'upgrade',
	'sql',
	'groups',
];

export const layers: Readonly<Record<string, Layers>> = {
	crawler: {
		order: [
			['base', 'addresses'],
			['diff'],
			['model'],
			['response'],
			['store/roles'],
			['store/schema'],
			['store/policies', 'store/pages', 'store/changes', 'store/leases', 'store/watch'],
			['store/frontier'],
			['store/fleet'],
			['store/upgrade'],
			['store/sql', 'store/contract'],
			['store/groups'],
			['read', 'sinks'],
			['politeness', 'discover', 'warc/read'],
			['warc/write'],
			['policy'],
			['documents', 'change', 'render', 'watch'],
			['represent'],
			['config'],
			['fetch'],
			['inspect', 'engine'],
			['check', 'view'],
		],
		onlyFor: {
			...Object.fromEntries(storeParts.map((part) => [`store/${part}`, ['store']])),
			'store/fleet': ['store/sql', 'store/upgrade'],
			'store/sql': ['inspect', 'engine', 'store/groups'],
			'store/groups': ['inspect', 'engine'],
		},
		top: ['output-formats.ts'],
	},
	extract: {
		within: 'select',
		order: [['select/read'], ['select/features'], ['select/model'], ['select/rules']],
		top: ['declared', 'hidden-parts', 'mark', 'posts', 'select', 'shown'].map((name) => `select/${name}.ts`),
	},
	gateway: {
		order: [
			['config'],
			['terms'],
			['request'],
			['identify'],
			['policy'],
			['ask', 'honeypot'],
			['decide'],
			['ledger', 'som'],
			['respond'],
			['engine'],
			['pagedigest', 'sharing', 'site', 'proxy'],
			['metrics', 'adapters', 'report', 'publish', 'lint'],
			['running'],
			['studio'],
			['dashboard'],
		],
	},
	service: {
		order: [
			['defaults', 'database', 'client'],
			['config', 'observe'],
			['problems', 'registrar'],
			['keys', 'documents'],
			['submissions'],
			['routes'],
			['api', 'public-pages'],
			['register', 'sites'],
			['server'],
		],
	},
	mcp: {
		order: [['search'], ['call'], ['tools'], ['server'], ['local'], ['http']],
	},
	wayleave: {
		order: [['terminal'], ['shared'], ['cli', 'client'], ['commands']],
		top: ['bin.ts', 'command-list.ts', 'program.ts'],
		apart: ['commands'],
	},
	io: {
		order: [
			['messages', 'hash', 'files', 'listen', 'metrics', 'threads', 'rate', 'dns'],
			['sql', 'http', 'objects'],
			['signatures', 'ranges'],
		],
	},
};

/** `a/b` of `a/b/c.ts`. */
const subfolder = (file: string): string => file.split('/').slice(0, 2).join('/');

/** One line for each import that goes up, sideways or where it may not. `index.ts` and tests import what they like. */
export function upwardImports(
	imports: Imports,
	{ order, onlyFor = {}, top = [], apart = [], within }: Layers,
): string[] {
	const folders = order.flat().sort((a, b) => b.length - a.length);
	const folderOf = (file: string) => folders.find((folder) => file.startsWith(`${folder}/`));
	const layerOf = (folder: string) => order.findIndex((layer) => layer.includes(folder));
	const isElsewhere = (file: string) => within !== undefined && !file.startsWith(`${within}/`);
	const isOutside = (file: string) =>
		isElsewhere(file) || file === 'index.ts' || top.includes(file) || /\.test\.ts$|(?:^|\/)testing\//.test(file);
	return [...imports].flatMap(([file, imported]) => {
		if (isOutside(file)) return [];
		const from = folderOf(file);
		if (from === undefined) return [`${file} is in no folder of the layers`];
		return imported.flatMap((target) => {
			if (isElsewhere(target)) return [];
			const to = folderOf(target);
			if (to === from)
				return apart.includes(from) && subfolder(file) !== subfolder(target)
					? [`${file} may not import ${target}`]
					: [];
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

/** Package → the packages of this workspace that it may import. */
export const packageArrows: Readonly<Record<string, readonly string[]>> = {
	protocols: [],
	extract: ['protocols'],
	io: ['protocols'],
	files: [],
	crawler: ['protocols', 'extract', 'io', 'files'],
	gateway: ['protocols', 'extract', 'io'],
	service: ['protocols', 'extract', 'io', 'crawler'],
	mcp: ['protocols', 'io', 'crawler', 'gateway', 'service'],
	wayleave: ['protocols', 'extract', 'io', 'crawler', 'gateway', 'service', 'mcp'],
};

/** `import … from '@wayleave/x/…'`, `export … from`, and `import('@wayleave/x')`. */
const foreign = /(?:^(?:import|export)\b[^'";]*?|\bimport\(\s*)'@wayleave\/([\w-]+)/gm;

/** One line for each import of a package that `packageArrows` does not allow. Tests import what they like. */
export function foreignImports(name: string, src: string): string[] {
	const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
	const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|(?:^|[\\/])testing[\\/]/.test(file));
	return sources.flatMap((file) => {
		const found = [...readFileSync(join(src, file), 'utf8').matchAll(foreign)].map(([, other = '']) => other);
		const wrong = [...new Set(found)].filter((other) => other !== name && !packageArrows[name]?.includes(other));
		return wrong.map((other) => `${file} may not import @wayleave/${other}`);
	});
}

/** One line for each import that breaks a rule. */
export function problemsOf(name: string, imports: Imports): string[] {
	const circles = newCircles(imports, knownCircles[name] ?? []).map(
		(circle) => `these files import each other in a circle: ${circle.join(', ')}`,
	);
	const upward = layers[name] === undefined ? [] : upwardImports(imports, layers[name]);
	return [...circles, ...upward, ...foreignImports(name, sourceOf(name))].map(
		(problem) => `packages/${name}/src: ${problem}`,
	);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	const problems = packages.flatMap((name) => problemsOf(name, readImports(sourceOf(name))));
	for (const problem of problems) console.error(problem);
	if (problems.length > 0) {
		console.error(
			'Move what both need to a file in a lower folder: docs/explanation/architecture.md shows the layers.',
		);
		process.exitCode = 1;
	}
}
