import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

interface Manifest {
	readonly name: string;
	readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
	readonly bin?: Readonly<Record<string, string>>;
}

/**
 * What a package lacks that is about to be packed: entry points, files that its code imports, README and licence; the
 * command also its bundle, dashboard, example site, manual page and conformance table.
 */
export function lacking(folder: string): string[] {
	const { name, exports, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
	const entries = Object.values(exports).flatMap((entry) => [entry.types, entry.default]);
	const wanted = [...entries, ...Object.values(bin ?? {}), 'README.md', 'LICENSE'];
	const isCommand = name === 'wayleave';
	// The command is a committed file; what it starts is not.
	if (isCommand) wanted.push(...filesOfCommand);
	const files = [...new Set(wanted)].filter((file) => !existsSync(join(folder, file)));
	const hasTable = !isCommand || hasConformance(join(folder, 'conformance.json'));
	return [...files, ...missingImports(join(folder, 'dist')), ...(hasTable ? [] : ['a conformance table'])];
}

const filesOfCommand = [
	...['bin.js', 'bundle/bin.js', 'bundle/NOTICES.txt'].map((file) => `dist/${file}`),
	...['dashboard/index.html', 'dashboard/index.js', 'site/index.html', 'man/wayleave.1'],
];

/** Files that the built code imports and that do not exist. */
function missingImports(dist: string): string[] {
	if (!existsSync(dist)) return [];
	const code = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(?:d\.ts|js)$/.test(file));
	return code.flatMap((file) => {
		const text = readFileSync(join(dist, file), 'utf8');
		const imports = text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g);
		return [...imports].flatMap(({ index, 1: path = '' }) => {
			// Types in comments of bundled libraries: `* @param {import('./index.js').Name}`.
			if (/^\s*\*/.test(text.slice(text.lastIndexOf('\n', index) + 1, index))) return [];
			// The compiler leaves `.ts` in declarations, and reads it as `.d.ts`.
			const target = resolve(dist, dirname(file), file.endsWith('.d.ts') ? path.replace(/\.ts$/, '.d.ts') : path);
			return existsSync(target) ? [] : [`${path} (imported by dist/${file})`];
		});
	});
}

function hasConformance(file: string): boolean {
	if (!existsSync(file)) return false;
	const { rows } = JSON.parse(readFileSync(file, 'utf8')) as { rows: { tests: unknown[] }[] };
	return rows.some(({ tests }) => tests.length > 0);
}
