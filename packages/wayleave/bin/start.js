import { existsSync, readFileSync } from 'node:fs';

const [word, ...others] = process.argv.slice(2);
const here = (path) => new URL(path, import.meta.url);

if (others.length === 0 && (word === '--version' || word === '-V')) {
	// Answered here: scripts ask for it often, and it needs none of the program.
	process.stdout.write(`${JSON.parse(readFileSync(here('../package.json'), 'utf8')).version}\n`);
} else if (existsSync(here('checkout.js'))) {
	await import('./checkout.js');
} else {
	await import('../dist/bin.js');
}
