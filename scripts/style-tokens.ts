// The design tokens of the dashboard that the pages of the service use, as a module of the service.
// Usage: tsx scripts/style-tokens.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const pages = join(root, 'packages/service/src/public-pages');
export const tokensModule = join(pages, 'tokens.ts');

/** The module, from `apps/dashboard/src/ui/tokens.css`. */
export function makeTokens(): string {
	const css = readFileSync(join(root, 'apps/dashboard/src/ui/tokens.css'), 'utf8');
	const style = readFileSync(join(pages, 'style.ts'), 'utf8');
	const isUsed = (line: string): boolean => {
		const [, name] = /^(--[\w-]+):/.exec(line) ?? [];
		return name === undefined || style.includes(`var(${name})`);
	};
	const lines = css
		.replace(/\/\*.*?\*\//gs, '')
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '' && isUsed(line))
		.join('\n')
		// A query that sets no token that is used.
		.replace(/@media [^{]*\{\n:root \{\n\}\n\}\n/g, '');
	return `/** Made of \`apps/dashboard/src/ui/tokens.css\` by \`tsx scripts/style-tokens.ts\`: change it there. */
export const tokens = \`${lines}\`;
`;
}

const [, script] = process.argv;
if (script !== undefined && import.meta.url === pathToFileURL(script).href) writeFileSync(tokensModule, makeTokens());
