import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { version } from '../terminal/version.ts';
import { installCommand, withPackage } from './optional-packages.ts';

const notFound = (name: string) =>
	Object.assign(new Error(`Cannot find package '${name}' imported from /x/run.js`), { code: 'ERR_MODULE_NOT_FOUND' });

describe('a command whose package is not installed', () => {
	it('says which package, and the npm command', async () => {
		const load = () => Promise.reject(notFound('@wayleave/service'));
		await expect(withPackage('@wayleave/service', 'keys', load)).rejects.toMatchObject({
			code: 'package-missing',
			message: `wayleave keys needs the package @wayleave/service: run npm install @wayleave/service@${version}`,
		});
	});

	it('reports every other error as it is', async () => {
		const load = () => Promise.reject(notFound('hono'));
		await expect(withPackage('@wayleave/service', 'keys', load)).rejects.toThrow("Cannot find package 'hono'");
	});

	it('names the command for a project, for a global installation and for npx', () => {
		const project = mkdtempSync(join(tmpdir(), 'wayleave-project-'));
		const installed = (home: string) => installCommand('mcp', '@wayleave/mcp', join(home, 'node_modules/wayleave/'));
		expect(installed(project)).toBe(`npm install -g @wayleave/mcp@${version}`);
		writeFileSync(join(project, 'package.json'), '{}');
		expect(installed(project)).toBe(`npm install @wayleave/mcp@${version}`);
		expect(installed('/home/a/.npm/_npx/0123')).toBe(
			`npx -p wayleave@${version} -p @wayleave/mcp@${version} wayleave mcp`,
		);
	});
});
