import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findChromium } from './find-chromium.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-find-'));
	vi.stubEnv('CHROMIUM_PATH', undefined);
});
afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(folder, { recursive: true });
});

function install(name: string, mode = 0o755): string {
	const file = join(folder, name);
	mkdirSync(join(file, '..'), { recursive: true });
	writeFileSync(file, '#!/bin/sh\n');
	chmodSync(file, mode);
	return file;
}

describe.skipIf(process.platform !== 'linux')('the Chromium to use', () => {
	it('is the first on the PATH that can be executed', () => {
		install('a/chromium', 0o644);
		mkdirSync(join(folder, 'b/chromium'), { recursive: true });
		const found = install('c/google-chrome');
		install('d/chromium');
		vi.stubEnv('PATH', ['', ...['a', 'b', 'c', 'd'].map((name) => join(folder, name))].join(delimiter));
		expect(findChromium()).toBe(found);
	});

	it.each(['chromium-headless-shell', 'chrome-headless-shell'])('is %s where there is no other', (name) => {
		const shell = install(`bin/${name}`);
		vi.stubEnv('PATH', join(folder, 'bin'));
		expect(findChromium()).toBe(shell);
		const whole = install('bin/chromium');
		expect(findChromium()).toBe(whole);
	});

	it('is the named one, else that of CHROMIUM_PATH, and no other if that cannot be executed', () => {
		install('bin/chromium');
		const [named, variable] = [install('named'), install('variable')];
		vi.stubEnv('PATH', join(folder, 'bin'));
		vi.stubEnv('CHROMIUM_PATH', variable);
		expect(findChromium(named)).toBe(named);
		expect(findChromium()).toBe(variable);
		expect(findChromium(join(folder, 'missing'))).toBeUndefined();
	});
});
