/**
 * Bytes that each heap of a process was given, from the lines of `--trace-gc`: what is in use before a collection, less
 * what was left by the one before it. The heap of the main thread comes first if it collects before others are there.
 *
 *     [15386:0x1063b630]       39 ms: Scavenge 30.1 (34.0) -> 12.6 (35.0) MB, 2.88 / 0.00 ms …
 */
export function allocatedBytes(trace: string): number[] {
	const heaps = new Map<string, { left: number; sum: number }>();
	for (const line of trace.split('\n')) {
		const [, heap, before, after] = collection.exec(line) ?? [];
		if (heap === undefined) continue;
		const known = heaps.get(heap) ?? { left: 0, sum: 0 };
		heaps.set(heap, { left: Number(after), sum: known.sum + Math.max(0, Number(before) - known.left) });
	}
	return [...heaps.values()].map(({ sum }) => sum * 2 ** 20);
}

/** The heap, and the MB in use before and after; a collection has several words as its name. */
const collection = /^\[\d+:(0x[0-9a-f]+)\]\s+\d+ ms: [A-Za-z][^0-9]*?([\d.]+) \([\d.]+\) -> ([\d.]+) \([\d.]+\) MB/;
