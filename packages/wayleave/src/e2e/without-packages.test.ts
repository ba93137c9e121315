import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { version } from '../terminal/version.ts';

// Each command is a process in which Node does not find the packages.

const bin = fileURLToPath(new URL('../bin.ts', import.meta.url));

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

interface Ending {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** @param until ends the process when stderr contains it */
async function wayleave(without: readonly string[], argv: readonly string[], until?: string): Promise<Ending> {
	const loaders = ['--import', import.meta.resolve('tsx'), '--import', hookWithout(without)];
	const child = spawn(process.execPath, ['--conditions=wayleave-source', ...loaders, bin, ...argv], {
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

it.each([
	['serve', service, ['--open']],
	['keys', service, ['list']],
	['verify', service, ['example.com']],
	['mcp', mcp, []],
])('%s ends with one sentence that names the package and the npm command', async (name, needed, argv) => {
	expect(await wayleave([service, mcp], [name, ...argv])).toEqual({
		code: 3,
		stdout: '',
		stderr: `error: wayleave ${name} needs the package ${needed}: run npm install ${needed}@${version}\n`,
	});
});

it('--json has the failure as data', async () => {
	const { code, stdout } = await wayleave([service, mcp], ['keys', 'list', '--json']);
	expect(code).toBe(3);
	expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'package-missing' } });
});

it.each(['serve', 'keys', 'verify', 'mcp'])('%s --help needs neither package', async (name) => {
	const { code, stdout } = await wayleave([service, mcp], [name, '--help']);
	expect({ code, usage: stdout.split('\n')[0] }).toMatchObject({ code: 0, usage: expect.stringContaining(name) });
});

it('serve without the MCP package says what is missing, and serves the rest', async () => {
	const argv = ['serve', '--open', '--listen', '127.0.0.1:0', '--store', 'memory'];
	const { code, stderr } = await wayleave([mcp], argv, 'serving at http://');
	expect(stderr).toContain(`no MCP tools at /mcp: run npm install ${mcp}@${version} to add them\n`);
	expect(stderr).toContain('serving at http://127.0.0.1:');
	expect(code).toBe(0);
});
