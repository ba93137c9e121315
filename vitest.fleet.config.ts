import { defineConfig } from 'vitest/config';
import long from './vitest.long.config.ts';

// The runs of a fleet: workers in processes of their own, database servers that fail, object storage. They print what
// they measured.
export default defineConfig({
	...long,
	test: { ...long.test, include: ['packages/*/src/**/*.fleet.test.ts'] },
});
