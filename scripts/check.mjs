// Runs all that CI checks, side by side where nothing waits for it: npm run check. Tests start the build where it is newer
// than the sources, and may build the dashboard, which is packed: what writes or packs the build ends before them.
import { spawn } from 'node:child_process';

/** Runs a script of package.json; shows what it prints at once, or together when it has ended. Returns its exit code. */
function run(name, { live = false, more = [] } = {}) {
	const started = performance.now();
	const child = spawn('npm', ['run', '-s', name, ...more], {
		stdio: ['ignore', ...(live ? ['inherit', 'inherit'] : ['pipe', 'pipe'])],
		shell: process.platform === 'win32',
	});
	const pieces = [];
	for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => pieces.push(piece));
	return new Promise((resolve) => {
		child.once('close', (code) => {
			process.stdout.write(Buffer.concat(pieces));
			const seconds = Math.round((performance.now() - started) / 1000);
			console.log(`${name}: ${code === 0 ? 'passed' : `exit code ${code}`}, ${seconds} s`);
			resolve(code ?? 1);
		});
	});
}

/** Ends with 1 where one of them failed. */
async function together(...running) {
	const codes = await Promise.all(running);
	if (codes.some((code) => code !== 0)) process.exit(1);
}

async function inOrder(...names) {
	for (const name of names) {
		const code = await run(name);
		if (code !== 0) return code;
	}
	return 0;
}

await together(inOrder('lint', 'imports', 'unused'), inOrder('types', 'check:packages'));
await together(run('test', { live: true }), inOrder('agents', 'sizes'));
await together(run('conformance', { more: ['--', '--quiet'] }));
