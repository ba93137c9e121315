import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generatedPages } from './reference.ts';

it.each(Object.entries(generatedPages))('%s is what npm run docs:reference writes', async (file, write) => {
	expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toBe(await write());
});
