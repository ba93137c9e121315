// A hash table of numbers in an Int32Array, whose length is a power of two: each slot has a hash and a number from 1 on.
// An empty slot has 0, and a taken one leads to the next.

/** The slot where the search for a hash begins. */
export const placeOf = (hash: number, places: Int32Array): number => (2 * (hash ^ (hash >>> 15))) & (places.length - 1);

/** Puts a number into the first empty slot for its hash. */
export function setPlace(places: Int32Array, hash: number, number: number): void {
	const mask = places.length - 1;
	let place = placeOf(hash, places);
	while (places[place + 1] !== 0) place = (place + 2) & mask;
	places[place] = hash;
	places[place + 1] = number;
}

/** Letters of ASCII in lower case. */
export const lower = (unit: number): number => (unit >= 0x41 && unit <= 0x5a ? unit + 32 : unit);
