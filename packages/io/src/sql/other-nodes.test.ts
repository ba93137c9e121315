import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { otherNode } from '../../../../scripts/other-node.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const files = ['sql/sql', 'sql/drivers/drivers', 'sql/file-lock', 'files/private-files'].map(
	(name) => `packages/io/src/${name}.test.ts`,
);
const ours = Number.parseInt(process.versions.node, 10);

/** The first Node with a `node:sqlite` that needs no flag, and the newest that is promised; our own is tested anyway. */
const others = ['22.13.0', '24'].map((version) => ({
	version,
	node: Number.parseInt(version, 10) === ours ? undefined : otherNode(version),
}));

for (const { version, node } of others) {
	const title = `U2-10: on Node ${version}, which has SQLite itself, all tests of SQLite pass by it`;
	it.skipIf(node === undefined)(
		node === undefined ? `${title} (needs node@${version} from npm)` : title,
		() => {
			const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', '--reporter=verbose', ...files];
			const { stdout, stderr, status } = spawnSync(node ?? '', vitest, {
				cwd: root,
				encoding: 'utf8',
				env: { ...process.env, NO_COLOR: '1', VITEST: undefined, VITEST_WORKER_ID: undefined },
			});
			expect(status, `${stdout}\n${stderr}`).toBe(0);
			for (const file of files) expect(stdout).toContain(file);
			expect(stdout).toContain('openDatabase by node > keeps what was committed');
			expect(stdout).toContain('the driver node > an error has the code of SQLite');
		},
		300_000,
	);
}
