import { expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

const held = (map: BoundedMap<number>) => ['a', 'b', 'c', 'd'].filter((key) => map.get(key) !== undefined).join('');

it('drops the entry set longest ago when there are too many', () => {
	const map = new BoundedMap<number>(2);
	map.set('a', 1);
	map.set('b', 2);
	map.set('a', 3);
	map.set('c', 4);
	expect([held(map), map.get('a')]).toEqual(['ac', 3]);
});

it('and when they are too large together, but for the last one', () => {
	const map = new BoundedMap<number>(9, 10);
	for (const key of ['a', 'b', 'c']) map.set(key, 1, 4);
	expect(held(map)).toBe('bc');
	map.set('b', 1, 1);
	map.set('d', 1, 5);
	expect(held(map)).toBe('bcd');
	map.delete('c');
	map.set('a', 1, 4);
	expect(held(map)).toBe('abd');
	map.set('c', 1, 99);
	expect(held(map)).toBe('c');
	map.clear();
	map.set('a', 1, 10);
	expect(held(map)).toBe('a');
});

it('takes any number of entries when only their bytes are bounded', () => {
	const map = new BoundedMap<number>(Number.POSITIVE_INFINITY, 10);
	for (const key of ['a', 'b', 'c']) map.set(key, 1, 4);
	expect(held(map)).toBe('bc');
});
