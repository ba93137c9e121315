/** A number from 0 to 1 that depends on a seed and two numbers only: no state, so that the order of calls does not matter. */
export function chance(seed: number, id: number, salt: number): number {
	let h = (seed ^ Math.imul(id + 1, 0x9e37_79b1) ^ Math.imul(salt + 1, 0x85eb_ca6b)) >>> 0;
	h = Math.imul(h ^ (h >>> 16), 0x21f0_aaad) >>> 0;
	h = Math.imul(h ^ (h >>> 15), 0x735a_2d97) >>> 0;
	return ((h ^ (h >>> 15)) >>> 0) / 2 ** 32;
}

/** Standard normal (Box and Muller). */
export function normal(seed: number, id: number, salt: number): number {
	const u = Math.max(chance(seed, id, salt), 1e-12);
	return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * chance(seed, id, salt + 1));
}
