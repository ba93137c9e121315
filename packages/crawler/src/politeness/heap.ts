/** A binary heap: the smallest key first, among equal keys the one put in first. */
export class Heap<Item> {
	readonly #entries: { readonly key: number; readonly order: number; readonly item: Item }[] = [];
	#order = 0;

	get size(): number {
		return this.#entries.length;
	}

	/** The smallest key; undefined when the heap is empty. */
	get first(): number | undefined {
		return this.#entries[0]?.key;
	}

	push(key: number, item: Item): void {
		const entries = this.#entries;
		let at = entries.length;
		entries.push({ key, order: this.#order++, item });
		while (at > 0) {
			const parent = (at - 1) >> 1;
			if (!this.#before(at, parent)) break;
			this.#swap(at, parent);
			at = parent;
		}
	}

	pop(): Item | undefined {
		const entries = this.#entries;
		const top = entries[0];
		const last = entries.pop();
		if (top === undefined || last === undefined || entries.length === 0) return top?.item;
		entries[0] = last;
		for (let at = 0; ; ) {
			const left = 2 * at + 1;
			const right = left + 1;
			const child = right < entries.length && this.#before(right, left) ? right : left;
			if (child >= entries.length || !this.#before(child, at)) return top.item;
			this.#swap(at, child);
			at = child;
		}
	}

	#before(a: number, b: number): boolean {
		const x = this.#entries[a];
		const y = this.#entries[b];
		if (x === undefined || y === undefined) return false;
		return x.key < y.key || (x.key === y.key && x.order < y.order);
	}

	#swap(a: number, b: number): void {
		const entries = this.#entries;
		const x = entries[a];
		const y = entries[b];
		if (x === undefined || y === undefined) return;
		entries[a] = y;
		entries[b] = x;
	}
}
