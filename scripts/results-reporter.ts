import { mkdirSync, writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Writes one line per test to `.results/tests.json`, which `npm run conformance` joins with the requirements,
 * and ends the output with a plain line that any CI can read.
 */
export default class ResultsReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[]): void {
		const rows: { file: string; title: string; state: string }[] = [];
		let broken = 0;
		for (const module of modules) {
			if (module.state() === 'failed' && module.errors().length > 0) broken++;
			for (const test of module.children.allTests()) {
				rows.push({ file: module.relativeModuleId, title: test.fullName, state: test.result().state });
			}
		}
		mkdirSync('.results', { recursive: true });
		writeFileSync('.results/tests.json', `${JSON.stringify(rows, null, '\t')}\n`);
		const count = (state: string) => rows.filter((row) => row.state === state).length;
		console.log(`${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped`);
	}
}
