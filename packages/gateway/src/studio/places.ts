import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

/** Where a policy file says something: one value, with its path. */
export interface Place {
	readonly path: readonly (string | number)[];
	readonly value: string;
	/** From 1. */
	readonly line: number;
	readonly column: number;
	/** Behind its last character. */
	readonly endColumn: number;
}

/** A file of more values is too long to be read by people; what comes later is not lit up. */
const maxPlaces = 5000;

/** The single values of a policy file, in their order; none where it is not valid YAML. */
export function placesOf(text: string): Place[] {
	const lines = new LineCounter();
	const document = parseDocument(text, { lineCounter: lines });
	if (document.errors.length > 0) return [];
	const places: Place[] = [];
	const visit = (node: unknown, path: readonly (string | number)[]): void => {
		if (places.length >= maxPlaces || isAlias(node)) return;
		if (isMap(node)) {
			for (const { key, value } of node.items) visit(value, [...path, String(isScalar(key) ? key.value : key)]);
		} else if (isSeq(node)) {
			for (const [at, item] of node.items.entries()) visit(item, [...path, at]);
		} else if (isScalar(node)) {
			const [start, end] = (node as Node).range ?? [0, 0];
			const { line, col } = lines.linePos(start);
			places.push({ path, value: String(node.value), line, column: col, endColumn: col + end - start });
		}
	};
	visit(document.contents, []);
	return places;
}
