// Builds the pages into a folder: NAME.html, NAME.js and NAME.css for each page, and icon.svg.
// Usage: tsx build.ts [OUTDIR]
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { notices } from '../../scripts/notices.ts';

const app = dirname(fileURLToPath(import.meta.url));
const root = join(app, '../..');

interface Page {
	/** Below `src/`. */
	readonly entry: string;
	/** Title until the script runs. */
	readonly title: string;
	/** Said where scripts are off: how to get the same without. */
	readonly withoutScript: string;
}

/** The pages by name; `index` is what the folder itself shows. */
export const pages: Readonly<Record<string, Page>> = {
	index: {
		entry: 'site/main.tsx',
		title: 'Agents at this site',
		withoutScript: 'The same figures as text: <code>wayleave report</code>.',
	},
	crawl: {
		entry: 'crawl/main.tsx',
		title: 'Crawl',
		withoutScript: 'The same as text: <code>wayleave store status</code> and <code>wayleave store explain URL</code>.',
	},
	studio: {
		entry: 'studio/main.tsx',
		title: 'Policy studio',
		withoutScript:
			'Edit the policy file by hand, check it with <code>wayleave lint</code>, and send SIGHUP to the gateway.',
	},
	'sign-in': {
		entry: 'sign-in/main.tsx',
		title: 'Sign in',
		withoutScript: 'The same figures as text: <code>wayleave report</code>.',
	},
};

/** Builds all pages; the same sources give the same bytes. */
export async function buildDashboard(folder: string, only: Readonly<Record<string, Page>> = pages): Promise<void> {
	mkdirSync(folder, { recursive: true });
	copyFileSync(join(app, 'src/icon.svg'), join(folder, 'icon.svg'));
	const { metafile } = await build({
		entryPoints: Object.fromEntries(Object.entries(only).map(([name, { entry }]) => [name, join(app, 'src', entry)])),
		outdir: folder,
		absWorkingDir: root,
		bundle: true,
		minify: true,
		format: 'esm',
		target: ['es2022'],
		jsx: 'automatic',
		jsxImportSource: 'preact',
		conditions: ['wayleave-source'],
		logLevel: 'warning',
		metafile: true,
	});
	for (const [name, page] of Object.entries(only)) writeFileSync(join(folder, `${name}.html`), htmlOf(name, page));
	writeFileSync(join(folder, 'NOTICES.txt'), notices(Object.keys(metafile.inputs), root));
}

function htmlOf(name: string, { title, withoutScript }: Page): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="${name}.css">
<script type="module" src="${name}.js"></script>
</head>
<body>
<div id="app"><p class="status" role="status">Loading …</p></div>
<noscript><p class="status">This page needs its script. ${withoutScript}</p></noscript>
</body>
</html>
`;
}

const [, script, folder] = process.argv;
if (script !== undefined && import.meta.url === pathToFileURL(script).href) {
	await buildDashboard(resolve(folder ?? join(root, 'packages/wayleave/dashboard')));
}
