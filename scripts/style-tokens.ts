// The design tokens of the dashboard as a module of the service, whose pages have the same look.
// Usage: tsx scripts/style-tokens.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
export const tokensModule = join(root, 'packages/service/src/public-pages/tokens.ts');

/** The module, from `apps/dashboard/src/ui/tokens.css`. */
export function makeTokens(): string {
	const css = readFileSync(join(root, 'apps/dashboard/src/ui/tokens.css'), 'utf8');
	const lines = css
		.replace(/\/\*.*?\*\//gs, '')
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
	return `/** Made of \`apps/dashboard/src/ui/tokens.css\` by \`tsx scripts/style-tokens.ts\`: change it there. */
export const tokens = \`${lines.join('\n')}\`;
`;
}

const [, script] = process.argv;
if (script !== undefined && import.meta.url === pathToFileURL(script).href) writeFileSync(tokensModule, makeTokens());
