import { expect, it } from 'vitest';
import { KnownTexts } from './known-texts.ts';

it('holds a bounded number of texts of a bounded length', () => {
	const known = new KnownTexts<number>();
	for (let number = 0; number < 3000; number++) known.add(`text ${number}`, number);
	const held = Array.from({ length: 3000 }, (_, number) => number).filter(
		(number) => known.get(`text ${number}`) === number,
	);
	expect(held).toEqual(Array.from({ length: 1000 }, (_, at) => 2000 + at));
	known.add('x'.repeat(5000), 1);
	expect(known.get('x'.repeat(5000))).toBeUndefined();
});
