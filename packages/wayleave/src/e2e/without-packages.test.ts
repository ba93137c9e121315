import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { version } from '../terminal/version.ts';
import type { Ending } from '../testing/run-many.ts';

// Commands run in a process in which Node does not find the packages.

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Makes imports of these packages fail as Node does when they are not installed. */
function hookWithout(packages: readonly string[]): string {
	const resolve = `export const resolve = (specifier, context, next) => {
		const name = ${JSON.stringify(packages)}.find((each) => specifier === each || specifier.startsWith(each + '/'));
		if (name === undefined) return next(specifier, context);
		const message = "Cannot find package '" + name + "' imported from " + context.parentURL;
		throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
	};`;
	const url = `data:text/javascript,${encodeURIComponent(resolve)}`;
	const register = `import { register } from 'node:module'; register(${JSON.stringify(url)});`;
	return `data:text/javascript,${encodeURIComponent(register)}`;
}

const service = '@wayleave/service';
const mcp = '@wayleave/mcp';

/** Starts a program of the sources. @param until ends the process when stderr contains it */
async function start(
	program: string,
	without: readonly string[],
	argv: readonly string[],
	until?: string,
): Promise<Ending> {
	const loaders = ['--import', import.meta.resolve('tsx'), '--import', hookWithout(without)];
	const child = spawn(process.execPath, ['--conditions=wayleave-source', ...loaders, at(program), ...argv], {
		cwd: mkdtempSync(join(tmpdir(), 'wayleave-packages-')),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let [stdout, stderr] = ['', ''];
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		stderr += text;
		if (until !== undefined && !child.killed && stderr.includes(until)) child.kill('SIGTERM');
	});
	const [code] = (await once(child, 'close')) as [number | null];
	return { code, stdout, stderr };
}

const needed = [
	['serve', service, ['--open']],
	['keys', service, ['list']],
	['verify', service, ['example.com']],
	['mcp', mcp, []],
] as const;

/** How commands end without both packages, by their words. */
let endings: ReadonlyMap<string, Ending>;
beforeAll(async () => {
	const all = [
		...needed.flatMap(([name, , argv]) => [
			[name, ...argv],
			[name, '--help'],
		]),
		['keys', 'list', '--json'],
	];
	const { stdout, stderr } = await start('../testing/run-many.ts', [service, mcp], [JSON.stringify(all)]);
	expect(stderr).toBe('');
	const found = JSON.parse(stdout) as Ending[];
	endings = new Map(all.map((argv, index) => [argv.join(' '), found[index] as Ending]));
});

it.each(needed)('%s ends with one sentence that names the package and the npm command', (name, needs, argv) => {
	expect(endings.get([name, ...argv].join(' '))).toEqual({
		code: 3,
		stdout: '',
		stderr: `error: wayleave ${name} needs the package ${needs}: run npm install ${needs}@${version}\n`,
	});
});

it('--json has the failure as data', () => {
	const { code, stdout } = endings.get('keys list --json') ?? {};
	expect(code).toBe(3);
	expect(JSON.parse(stdout ?? '')).toMatchObject({ error: { code: 'package-missing' } });
});

it.each(needed)('%s --help needs neither package', (name) => {
	const { code, stdout = '' } = endings.get(`${name} --help`) ?? {};
	expect({ code, usage: stdout.split('\n')[0] }).toMatchObject({ code: 0, usage: expect.stringContaining(name) });
});

it('serve without the MCP package says what is missing, and serves the rest', async () => {
	const argv = ['serve', '--open', '--listen', '127.0.0.1:0', '--store', 'memory'];
	const { code, stderr } = await start('../bin.ts', [mcp], argv, 'serving at http://');
	expect(stderr).toContain(`no MCP tools at /mcp: run npm install ${mcp}@${version} to add them\n`);
	expect(stderr).toContain('serving at http://127.0.0.1:');
	expect(code).toBe(0);
});
