import { defineConfig } from 'vitest/config';

// `wayleave-source` makes the packages resolve to each other's TypeScript: tests need no build.
const conditions = ['wayleave-source', 'module', 'node', 'development|production'];

export default defineConfig({
	resolve: { conditions },
	ssr: { resolve: { conditions, externalConditions: ['wayleave-source', 'node'] } },
	test: {
		include: [
			'packages/*/src/**/*.test.ts',
			'conformance/**/*.test.ts',
			'scripts/**/*.test.ts',
			'examples/**/*.test.ts',
		],
		exclude: ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts'],
		reporters: ['default', './scripts/results-reporter.ts'],
		setupFiles: ['./scripts/fast-check-setup.ts'],
		// From source a thread takes a second to start: tests of threads say that they want some.
		env: { WAYLEAVE_THREADS: '0' },
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
