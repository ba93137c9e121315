import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const builder = fileURLToPath(new URL('source-program-build.ts', import.meta.url));

/** The folder of the bundles: `temporary-files-setup.ts` sets it for a test run, and removes it when the run ends. */
const home = () => process.env.WAYLEAVE_TEST_PROGRAMS ?? join(tmpdir(), `wayleave-programs-${process.pid}`);

/**
 * The file to start for a program of the sources: from one bundle, which the first caller of a test run makes. It starts
 * in a tenth of the CPU that `tsx` takes to load hundreds of modules.
 *
 * @param path of `packages/wayleave/src/bin.ts` or of a `…-child.ts` in a folder `testing`
 */
export function sourceProgram(path: string): string {
	const folder = home();
	const program = join(folder, 'dist/bundle', `${basename(path, '.ts')}.js`);
	if (!existsSync(join(folder, 'ready'))) makeBundle(folder);
	if (!existsSync(program)) throw new Error(`${path} is not one of the programs of ${builder}`);
	return program;
}

/** Makes the bundle, or waits for another process of the run that makes it. */
function makeBundle(folder: string): void {
	mkdirSync(folder, { recursive: true });
	const { status, stderr } = spawnSync(process.execPath, ['--import', import.meta.resolve('tsx'), builder, folder], {
		encoding: 'utf8',
	});
	if (status !== 0) throw new Error(`the programs of the tests could not be bundled: ${stderr}`);
}
