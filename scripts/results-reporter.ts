import { mkdirSync, writeFileSync } from 'node:fs';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/**
 * Writes one line per test to `.results/tests.json`, and of how much that is the whole, which `npm run conformance` joins with the requirements,
 * and ends the output with a plain line that any CI can read.
 */
export default class ResultsReporter implements Reporter {
	#vitest: Vitest | undefined;

	onInit(vitest: Vitest): void {
		this.#vitest = vitest;
	}

	async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
		const rows: { file: string; title: string; state: string }[] = [];
		let broken = 0;
		for (const module of modules) {
			if (module.state() === 'failed' && module.errors().length > 0) broken++;
			for (const test of module.children.allTests()) {
				rows.push({ file: module.relativeModuleId, title: test.fullName, state: test.result().state });
			}
		}
		const all = await this.#vitest?.globTestSpecifications();
		const named = this.#vitest?.config.testNamePattern?.source;
		const run = { files: modules.length, of: all?.length ?? modules.length, ...(named !== undefined && { named }) };
		mkdirSync('.results', { recursive: true });
		writeFileSync('.results/tests.json', `${JSON.stringify({ run, tests: rows }, null, '\t')}\n`);
		const count = (state: string) => rows.filter((row) => row.state === state).length;
		console.log(`${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped`);
	}
}
