// In a checkout the command needs no build: it runs what is built where it is newer than the sources, else the
// sources themselves. Packages on npm do not contain this file. docs/decisions/0005-command-in-a-checkout.md
import { readdirSync, statSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What a command shows or serves besides its code, and the script that makes it. */
const parts = {
	demo: { folder: 'packages/wayleave/site', last: 'sitemap.xml', script: 'examples/site/build.ts' },
	gateway: { folder: 'packages/wayleave/dashboard', last: 'NOTICES.txt', script: 'apps/dashboard/build.ts' },
};

/** @param bundle where the bundle lies, unless the command does not run from it */
export async function start(words, bundle) {
	const [word, ...others] = words;
	const run = newestBuild(word, others, bundle) ?? runSources;
	const part = partOf(word, others);
	if (part !== undefined && !others.includes('--help') && !others.includes('-h')) await makePart(part);
	await run();
}

/** The part that a command line shows, if any. */
function partOf(word, others) {
	const showsPages = (word === 'crawl' && others.includes('--ui')) || (word === 'store' && others.includes('ui'));
	if (showsPages) return parts.gateway;
	return Object.hasOwn(parts, word) ? parts[word] : undefined;
}

/** Starts what was built after the last change of the sources: the bundle, or else the files of each package. */
function newestBuild(word, others, bundle) {
	// The list of commands needs two folders of the sources; reading all of them would take longer than showing it.
	const showsList = others.length === 0 && [undefined, 'help', '--help', '-h'].includes(word);
	const newestOf = showsList ? newestOfCommand : newestOfEach;
	const newest = newestOf();
	const bundled = bundle === undefined ? 0 : changed(fileURLToPath(new URL(bundle, import.meta.url)));
	// It contains code of other people's packages too.
	const contents = [changed(join(root, 'package-lock.json')), ...newest.values()];
	if (contents.every((time) => bundled > time)) return () => import(bundle);
	const built = (name) => changed(join(root, 'packages', name, 'dist/.tsbuildinfo'));
	return [...newest].every(([name, time]) => built(name) > time) ? () => import('../dist/bin.js') : undefined;
}

/** For each package, when the newest of its sources was changed. */
const newestOfEach = () => {
	const folder = join(root, 'packages');
	return new Map(readdirSync(folder).map((name) => [name, newestIn(join(folder, name, 'src'), true)]));
};

const newestOfCommand = () => {
	const sources = join(root, 'packages/wayleave/src');
	return new Map([['wayleave', Math.max(newestIn(sources, false), newestIn(join(sources, 'cli'), false))]]);
};

/** When the newest file of a folder was changed, tests left out. */
function newestIn(folder, deep) {
	let newest = 0;
	for (const entry of readdirSync(folder, { withFileTypes: true })) {
		const path = `${folder}/${entry.name}`;
		if (!entry.isDirectory()) newest = entry.name.endsWith('.test.ts') ? newest : Math.max(newest, changed(path));
		else if (deep && entry.name !== 'testing') newest = Math.max(newest, newestIn(path, deep));
	}
	return newest;
}

/** Milliseconds since 1970; 0 where the file does not exist. */
function changed(path) {
	return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Builds the dashboard or the example site where it is missing or older than what it is made of. */
async function makePart({ folder, last, script }) {
	const target = join(root, folder);
	if (changed(join(target, last)) > newestIn(join(root, script, '..'), true)) return;
	const { spawnSync } = await import('node:child_process');
	const { status } = spawnSync(process.execPath, ['--import', 'tsx', script, target], {
		cwd: root,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	// The command itself reports what is missing.
	if (status !== 0) process.stderr.write(`${script} failed\n`);
}

async function runSources() {
	const tsx = await import('tsx/esm/api').catch(() => undefined);
	if (tsx === undefined) {
		process.stderr.write('error: this checkout is not installed: run `npm ci` in it\n');
		process.exitCode = 3;
		return;
	}
	tsx.register();
	register(`data:text/javascript,${encodeURIComponent(sourceCondition())}`);
	await import('../src/bin.ts');
}

/** A module hook that resolves `@wayleave/…` to TypeScript, as `--conditions=wayleave-source` does. */
function sourceCondition() {
	return `export const resolve = (specifier, context, next) =>
		next(specifier, { ...context, conditions: [...context.conditions, 'wayleave-source'] });`;
}
