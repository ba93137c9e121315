import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import LongestFirst from './scripts/longest-first.ts';

// `wayleave-source` makes the packages resolve to each other's TypeScript: tests need no build. Not `module`, which Node
// does not know: the files that some packages have for it are for bundlers only.
const conditions = ['wayleave-source', 'node', 'development|production'];

// The browser of the tests: Chromium without its user interface takes half to two thirds of the CPU of the whole one,
// which the long tests use. The file of this name in /usr/bin is a script that stays its parent: a test that kills its
// browser would kill the script.
const headlessShell = '/usr/lib/chromium/chromium-headless-shell';
const browser = process.env.CHROMIUM_PATH ?? (existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium');

export default defineConfig({
	resolve: {
		conditions,
		// Processes that read files start from a bundle of the sources, as those that tests start (scripts/source-program.ts).
		alias: [
			{
				find: /^\.\/source-entry\.ts$/,
				replacement: fileURLToPath(new URL('scripts/bundled-entry.ts', import.meta.url)),
			},
		],
	},
	ssr: { resolve: { conditions, externalConditions: ['wayleave-source', 'node'] } },
	test: {
		include: [
			'packages/*/src/**/*.test.ts',
			'apps/*/src/**/*.test.ts',
			'conformance/**/*.test.ts',
			'scripts/**/*.test.ts',
			'bench/**/*.test.ts',
			'examples/**/*.test.ts',
		],
		exclude: ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts', '**/*.fleet.test.ts'],
		reporters: ['default', './scripts/results-reporter.ts'],
		globalSetup: ['./scripts/temporary-files-setup.ts', './packages/io/src/testing/databases-setup.ts'],
		setupFiles: ['./scripts/fast-check-setup.ts'],
		// From source a thread takes a second to start: tests of threads say that they want some.
		env: { WAYLEAVE_THREADS: '0', ...(existsSync(browser) && { CHROMIUM_PATH: browser }) },
		// One more than there are cores: many tests wait for a clock, a process or a browser. Modules are loaded once for all
		// files of a worker, so that no test may leave behind a mock, a timer or a variable of the environment.
		maxWorkers: availableParallelism() + 1,
		isolate: false,
		sequence: { sequencer: LongestFirst },
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
