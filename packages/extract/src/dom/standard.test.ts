import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseHtml } from './parse.ts';
import { outline, standardOutline } from './testing/tree.ts';

const fixtures = join(import.meta.dirname, '../../fixtures');

it.each(readdirSync(fixtures))('builds the tree of the standard for the fixture %s', (name) => {
	const html = readFileSync(join(fixtures, name, 'source.html'), 'utf8');
	expect(outline(parseHtml(html).body)).toBe(standardOutline(html));
});
