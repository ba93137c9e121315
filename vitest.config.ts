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
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
