import { existsSync, readFileSync } from 'node:fs';

const words = process.argv.slice(2);
const here = (path) => new URL(path, import.meta.url);
// These commands load optional packages, which import our packages from npm. The bundle has copies of its own, and an error
// of one copy is not an instance of the other's class. docs/decisions/0016-bundled-command.md
const unbundled = ['serve', 'keys', 'verify', 'mcp'];
const bundle = words.some((word) => unbundled.includes(word)) ? undefined : '../dist/bundle/bin.js';

if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
	// Answered here: scripts ask for it often, and it needs none of the program.
	process.stdout.write(`${JSON.parse(readFileSync(here('../package.json'), 'utf8')).version}\n`);
} else if (existsSync(here('checkout.js'))) {
	const { start } = await import('./checkout.js');
	await start(words, bundle);
} else {
	await import(bundle ?? '../dist/bin.js');
}
