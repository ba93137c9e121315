import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

// The long runs: one at a time, since each uses both cores by itself. They print what they measured.
export default defineConfig({
	...base,
	test: {
		...base.test,
		include: ['packages/*/src/**/*.long.test.ts', 'examples/**/*.long.test.ts'],
		exclude: ['**/node_modules/**', '**/dist/**'],
		reporters: ['default'],
		env: { WAYLEAVE_THREADS: '0' },
		testTimeout: 3_600_000,
		hookTimeout: 600_000,
		// They measure memory, too.
		isolate: true,
		fileParallelism: false,
		disableConsoleIntercept: true,
	},
});
