import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle } from '../../../../scripts/bundle.ts';
import { otherNode } from '../../../../scripts/other-node.ts';
import { type StaticServer, serveFolder } from '../commands/demo/static-server.ts';

// The command as npm installs it: `bin/start.js` and the bundle.

const own = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const cache = own('../../../../node_modules/.cache/wayleave/');

const pages = 4;
let installed: string;
let site: StaticServer;
let cwd: string;
beforeAll(async () => {
	// Where the bundle finds the packages that it does not contain.
	mkdirSync(cache, { recursive: true });
	installed = mkdtempSync(join(cache, 'bundle-'));
	for (const file of ['bin/wayleave.js', 'bin/start.js', 'package.json'])
		cpSync(own(`../../${file}`), join(installed, file));
	await bundle(join(installed, 'dist/bundle'));
	writeFileSync(join(installed, 'dist/bin.js'), "console.log('not from the bundle');\n");
	cwd = mkdtempSync(join(tmpdir(), 'wayleave-bundle-'));
	const links = Array.from({ length: pages }, (_, at) => `<a href="/${at}.html">Page ${at}</a>`).join(' ');
	for (let at = 0; at < pages; at++) {
		const text = `The tide turns ${at} times before the lamp of the pier is lit.`.repeat(9 + at);
		writeFileSync(
			join(cwd, `${at}.html`),
			`<html lang="en"><title>Page ${at}</title><main><p>${text}</p>${links}</main>`,
		);
	}
	site = await serveFolder(cwd, { origin: 'https://tides.example' });
});
afterAll(async () => {
	await site?.close();
	rmSync(installed, { recursive: true, force: true });
});

/** Tells which modules a process loads, one URL a line on the third descriptor. */
const tellLoads = `import { register } from 'node:module';
	const hook = "import { writeSync } from 'node:fs'; export const load = (url, context, next) => (writeSync(3, url + '\\\\n'), next(url, context));";
	register('data:text/javascript,' + encodeURIComponent(hook));`;

const wayleave = (...argv: string[]) => wayleaveOn(process.execPath, argv);

async function wayleaveOn(node: string, argv: readonly string[]) {
	const loader = `data:text/javascript,${encodeURIComponent(tellLoads)}`;
	const child = spawn(node, ['--import', loader, join(installed, 'bin/wayleave.js'), ...argv], {
		cwd,
		stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
		env: { ...process.env, WAYLEAVE_THREADS: undefined },
	});
	const texts = ['', '', '', ''];
	for (const at of [1, 2, 3])
		child.stdio[at]?.on('data', (bytes) => {
			texts[at] += bytes;
		});
	const code = await new Promise((resolve) => child.once('close', resolve));
	const loaded = (texts[3] ?? '').split('\n').filter((url) => url.startsWith('file:'));
	return { code, stdout: texts[1] ?? '', stderr: texts[2] ?? '', loaded };
}

const page = (at: number) => `http://127.0.0.1:${site.port}/${at}.html`;

it('fetches a page with its own files and few others', async () => {
	const { code, stdout, stderr, loaded } = await wayleave('fetch', page(1), '--delay', '0');
	expect([code, stderr, JSON.parse(stdout)]).toMatchObject([
		0,
		'',
		{ content: { markdown: expect.stringMatching(/^The tide/) } },
	]);
	const elsewhere = loaded.filter((url) => !url.includes('/dist/bundle/'));
	expect(elsewhere.map((url) => url.replace(/.*\/(?=bin\/|node_modules\/)/, ''))).toEqual([
		'bin/wayleave.js',
		'bin/start.js',
	]);
	expect(loaded.length).toBeLessThan(120);
});

for (const version of ['22', '24']) {
	const node = otherNode(version);
	const title = `fetches a page without a warning on Node ${version}`;
	it.skipIf(node === undefined)(node === undefined ? `${title} (needs node@${version} from npm)` : title, async () => {
		const { code, stdout, stderr } = await wayleaveOn(node ?? '', ['fetch', page(1), '--delay', '0']);
		expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('The tide turns'), '']);
	});
}

it('reads the pages of a crawl in a thread', async () => {
	const argv = ['crawl', page(0), '--delay', '0', '--threads', '1', '--store', 'sqlite:tides.db', '--out', 'out.jsonl'];
	const { code, stderr, loaded } = await wayleave(...argv, '--json');
	expect([code, stderr]).toEqual([0, expect.not.stringContaining('page-thread')]);
	expect(loaded.filter((url) => url.endsWith('/page-thread.js'))).toHaveLength(1);
	expect(readFileSync(join(cwd, 'out.jsonl'), 'utf8').trim().split('\n')).toHaveLength(pages);
});

it('reads tables that it needs for few pages: the language of a page that names none, and legacy encodings', async () => {
	// "The boat" nine times in EUC-KR.
	const boats = Buffer.from(`${'b9e8b0a120c7d7b1b8b7ce20b5b9beC6bfc2b4d92e20'.repeat(9)}`, 'hex');
	const head = Buffer.from('<meta charset="euc-kr"><title>Boats</title><main><p>');
	writeFileSync(join(cwd, 'boats.html'), Buffer.concat([head, boats]));
	const { stdout, stderr } = await wayleave('convert', 'boats.html', '--url', 'https://tides.example/boats');
	expect(stderr).toBe('');
	expect(JSON.parse(stdout)).toMatchObject({
		identity: { language: 'ko' },
		content: { markdown: expect.stringContaining('배가 항구로 돌아온다.') },
	});
});

it('finds the files that are packed beside it', async () => {
	writeFileSync(join(installed, 'conformance.json'), '{}');
	const { code, stderr } = await wayleave('conformance');
	expect([code, stderr]).toEqual([2, expect.stringContaining(`${join(installed, 'conformance.json')} is not a table`)]);
});

it('knows the errors that its parts throw', async () => {
	const misspelt = await wayleave('fetch', page(1), '--format', 'pdf');
	expect([misspelt.code, misspelt.stderr]).toEqual([
		2,
		expect.stringMatching(/^error: .*'pdf' is invalid.*\n\(See wayleave fetch --help\)\n$/),
	]);
	const missing = await wayleave('convert', 'no-such-page.html');
	expect([missing.code, missing.stderr]).toEqual([
		3,
		expect.stringMatching(/^no-such-page\.html: the file does not exist\n/),
	]);
});

it('names the licence of every package that it contains', () => {
	const folder = join(installed, 'dist/bundle');
	const text = readFileSync(join(folder, 'NOTICES.txt'), 'utf8');
	const code = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
	const names = code.flatMap((part) => [...part.matchAll(/^\/\/ .*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm)]);
	expect(new Set(names.map(([, name]) => name)).size).toBeGreaterThan(20);
	for (const [, name] of names) expect(text).toMatch(new RegExp(`^${name} \\d\\S* \\(.+\\)\\n=+\\n\\n.*\\w`, 'm'));
});

it('commands that load optional packages run from the files that they share with them, all others from the bundle', async () => {
	const folder = own('../commands/');
	const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
	const ran = await Promise.all(
		names.map(async ({ name }) => {
			const texts = readdirSync(join(folder, name))
				.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
				.map((file) => readFileSync(join(folder, name, file), 'utf8'));
			const isOptional = /from '@wayleave\/(?:service|mcp)/.test(texts.join(''));
			const { stdout } = await wayleave(name, '--help');
			return { name, isOptional, isBundled: stdout.startsWith(`Usage: wayleave ${name} `) };
		}),
	);
	expect(ran.length).toBeGreaterThan(20);
	expect(ran.filter(({ isOptional, isBundled }) => isOptional === isBundled)).toEqual([]);
});
