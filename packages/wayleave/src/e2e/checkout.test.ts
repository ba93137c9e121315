import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyCheckout, isCheckout } from '../../../../scripts/checkout-copy.ts';
import { commands } from '../command-list.ts';
import { version } from '../terminal/version.ts';

// The command as a clone has it: the committed bin, no build.

let clone: string;
beforeAll(() => {
	if (!isCheckout) return;
	clone = mkdtempSync(join(tmpdir(), 'wayleave-clone-'));
	copyCheckout(clone);
});
afterAll(() => {
	if (clone !== undefined) rmSync(clone, { recursive: true });
});

const wayleave = (...args: string[]) => {
	const bin = join(clone, 'packages/wayleave/bin/wayleave.js');
	const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd: clone, encoding: 'utf8' });
	return { status, stdout, stderr };
};

describe.skipIf(!isCheckout)('a clone without a build (needs git)', () => {
	it('U2-01: prints the version', () => {
		expect(wayleave('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
	});

	it('U2-01: has every command', () => {
		const { status, stdout, stderr } = wayleave('--help');
		expect([status, stderr]).toEqual([0, '']);
		for (const { name } of commands) expect(stdout).toContain(`\n  ${name} `);
	});

	it('U2-01: does the work of a command, from the sources of all packages', () => {
		writeFileSync(join(clone, 'page.html'), '<title>Tides</title><main><h1>Tides</h1><p>Twice a day.</p></main>');
		const args = ['convert', 'page.html', '--url', 'https://site.example/tides', '--format', 'markdown'];
		const { status, stdout } = wayleave(...args);
		expect([status, stdout]).toEqual([0, expect.stringContaining('Twice a day.')]);
	});

	it('U2-01: serves the example site without an earlier build', () => {
		const { status, stderr } = wayleave('demo', '--out', 'shown');
		expect([status, stderr]).toEqual([0, expect.stringContaining('documents: shown/')]);
	});

	it('U2-04: a gateway builds its dashboard', () => {
		// It starts no server: the build comes before the options are read.
		expect(wayleave('gateway', '--no-such-option').status).toBe(2);
		expect(existsSync(join(clone, 'packages/wayleave/dashboard/index.js'))).toBe(true);
	});

	it('U2-04: a gateway without a dashboard serves the site, and says in one line how to build it', async () => {
		rmSync(join(clone, 'packages/wayleave/dashboard'), { recursive: true, force: true });
		// Simulates a failed build, and a build of the packages only.
		const script = join(clone, 'apps/dashboard/build.ts');
		const kept = readFileSync(script);
		writeFileSync(script, 'process.exit(1);');
		const cwd = mkdtempSync(join(tmpdir(), 'wayleave-no-dashboard-'));
		writeFileSync(join(cwd, 'wayleave.config.yaml'), 'origin: http://localhost:3000\n');
		const argv = ['gateway', '--upstream', 'http://127.0.0.1:9', '--listen', '127.0.0.1:0'];
		const missing = 'no dashboard: it is not built; build it in a checkout with `npm run dashboard`\n';
		try {
			const usual = await untilServing(cwd, argv);
			expect(usual).toEqual({ status: 0, stderr: expect.stringContaining(missing) });
			expect(usual.stderr).toContain('http://localhost:3000 is served at ');
			const asked = await untilServing(cwd, [...argv, '--dashboard', '127.0.0.1:0']);
			expect(asked).toEqual({ status: 2, stderr: expect.stringContaining(`error: ${missing}`) });
		} finally {
			writeFileSync(script, kept);
		}
	});

	it('U2-01: runs a build that is newer than the sources, and the sources after a change', () => {
		for (const name of readdirSync(join(clone, 'packages'))) build(name);
		expect(wayleave('lint').stdout).toBe('the build\n');
		const later = new Date(Date.now() + 10_000);
		utimesSync(join(clone, 'packages/io/src/index.ts'), later, later);
		expect(wayleave('lint', '--help').stdout).toContain('Usage: wayleave lint');
		expect(wayleave('--help').stdout).toBe('the build\n');
		utimesSync(join(clone, 'packages/wayleave/src/command-list.ts'), later, later);
		expect(wayleave('--help').stdout).toContain('Usage: wayleave ');
	});

	it('U2-01: runs a bundle that is newer than the sources and the packages, but not for optional packages', () => {
		const touch = (path: string, seconds: number) => {
			const time = new Date(Date.now() + seconds * 1000);
			utimesSync(join(clone, path), time, time);
		};
		for (const name of readdirSync(join(clone, 'packages'))) {
			build(name);
			touch(`packages/${name}/dist/.tsbuildinfo`, 40);
		}
		const bundle = 'packages/wayleave/dist/bundle/bin.js';
		mkdirSync(join(clone, bundle, '..'), { recursive: true });
		writeFileSync(join(clone, bundle), "console.log('the bundle');\n");
		touch(bundle, 20);
		for (const word of ['lint', '--help']) expect(wayleave(word).stdout).toBe('the bundle\n');
		expect(wayleave('serve').stdout).toBe('the build\n');
		touch('package-lock.json', 30);
		for (const word of ['lint', '--help']) expect(wayleave(word).stdout).toBe('the build\n');
	});
});

describe('an old Node', () => {
	const bin = fileURLToPath(new URL('../../bin/wayleave.js', import.meta.url));
	/** Makes the running Node say that it is another one. */
	const pretend = (version: string) =>
		`data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`;
	const start = (version: string, ...args: string[]) => {
		const argv = ['--import', pretend(version), bin, ...args];
		const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
		return { status, stdout, stderr };
	};

	it.each([...commands.map(({ name }) => [name]), [], ['--version'], ['--help'], ['fetch', 'http://127.0.0.1/']])(
		'U2-11: gets one sentence: %s',
		(...args) => {
			const stderr = 'error: Wayleave needs Node 20.19 or newer; this is 18.20.8\n';
			expect(start('18.20.8', ...args)).toEqual({ status: 3, stdout: '', stderr });
		},
	);

	it.each([
		['20.18.3', 3],
		['20.19.0', 0],
		['21.0.0', 0],
		['100.1.0', 0],
	])('U2-11: the bound lies between 20.18 and 20.19: %s', (version, status) => {
		expect(start(version, '--version').status).toBe(status);
	});

	it('U2-11: can read the file that says so, as a script and without new syntax', () => {
		const text = readFileSync(bin, 'utf8').replaceAll(/^(?:#!|\/\/).*/gm, '');
		expect(() => new Script(text)).not.toThrow();
		expect(text).not.toMatch(/\b(?:const|let|await|import\.meta)\b|=>|\?\.|\?\?|`.*\$\{|^import /m);
	});
});

/** Runs a server in `cwd` until it serves or ends, and stops it. */
async function untilServing(cwd: string, argv: readonly string[]): Promise<{ status: unknown; stderr: string }> {
	const bin = join(clone, 'packages/wayleave/bin/wayleave.js');
	const server = spawn(process.execPath, [bin, ...argv], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
	let stderr = '';
	server.stderr.setEncoding('utf8').on('data', (text: string) => {
		stderr += text;
		if (!server.killed && stderr.includes(' is served at ')) server.kill('SIGTERM');
	});
	const [status] = await once(server, 'close');
	return { status, stderr };
}

/** Stands for what the compiler writes. */
function build(name: string): void {
	const dist = join(clone, 'packages', name, 'dist');
	mkdirSync(dist, { recursive: true });
	writeFileSync(join(dist, '.tsbuildinfo'), '{}');
	writeFileSync(join(dist, 'bin.js'), "console.log('the build');\n");
}
