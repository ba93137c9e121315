/**
 * Counts how many entries are written into maps while `work` runs: copying a map counts each of its entries. A measure of
 * work that does not depend on how fast the machine is.
 */
export function countMapWrites(work: () => void): number {
	const { set } = Map.prototype;
	let count = 0;
	Map.prototype.set = function (this: Map<unknown, unknown>, key: unknown, value: unknown) {
		count++;
		return set.call(this, key, value);
	};
	try {
		work();
	} finally {
		Map.prototype.set = set;
	}
	return count;
}
