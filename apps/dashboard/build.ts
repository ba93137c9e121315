// Builds the page into a folder: index.html, icon.svg, dashboard.css and dashboard.js.
// Usage: tsx build.ts [OUTDIR]
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const source = join(dirname(fileURLToPath(import.meta.url)), 'src');

/** Builds the page; the same sources give the same bytes. */
export async function buildDashboard(folder: string): Promise<void> {
	mkdirSync(folder, { recursive: true });
	for (const name of ['index.html', 'icon.svg']) copyFileSync(join(source, name), join(folder, name));
	await build({
		entryPoints: [join(source, 'dashboard.ts'), join(source, 'dashboard.css')],
		outdir: folder,
		bundle: true,
		minify: true,
		format: 'esm',
		target: ['es2022'],
		logLevel: 'warning',
	});
}

const [, script, folder] = process.argv;
if (script !== undefined && import.meta.url === pathToFileURL(script).href) {
	await buildDashboard(resolve(folder ?? join(source, '../../../packages/wayleave/dashboard')));
}
