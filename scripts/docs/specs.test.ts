import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { specsTable } from '../specs.ts';

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

it('docs/reference/specifications.md has the table that npm run specs prints', () => {
	expect(read('reference/specifications.md')).toContain(specsTable());
});

it('every ruling in the table exists', () => {
	const named = [...specsTable().matchAll(/AMB-\d+/g)].map(([id]) => id);
	expect(named.length).toBeGreaterThan(2);
	for (const id of named) expect(read('reference/rulings.md')).toContain(`**${id} `);
});
