import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mutants } from './mutants.ts';

it('the sources contain the text that each mutant replaces exactly once', () => {
	const counts = mutants.map(({ file, from }) => ({
		file,
		from,
		places: readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').split(from).length - 1,
	}));
	expect(counts.filter(({ places }) => places !== 1)).toEqual([]);
});
