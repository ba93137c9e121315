import { JsonCursor } from './json-cursor.ts';

/** Writes a name as a segment of a JSON pointer (RFC 6901 §3). */
export function escapePointer(segment: string): string {
	return segment.replace(/~/g, '~0').replace(/\//g, '~1');
}

/** The wanted names below a place, each with what is wanted below it. */
type Wanted = Map<string, Wanted>;

/**
 * Finds the offsets at which JSON pointers stand in a JSON text, in one pass: of a member that is its name.
 * A byte order mark is passed over.
 * A pointer to something missing is found at the nearest object or array around its place.
 */
export function locatePointers(text: string, pointers: readonly string[]): (pointer: string) => number {
	const wanted: Wanted = new Map();
	for (const pointer of pointers) {
		let place = wanted;
		for (const segment of pointer.split('/').slice(1)) {
			const inner: Wanted = place.get(segment) ?? new Map();
			place.set(segment, inner);
			place = inner;
		}
	}
	const offsets = new Map<string, number>();
	visit(new JsonCursor(text, text.startsWith('\ufeff') ? 1 : 0), wanted, '', offsets);
	return (pointer) => {
		let nearest = pointer;
		while (nearest !== '' && !offsets.has(nearest)) nearest = nearest.slice(0, nearest.lastIndexOf('/'));
		return offsets.get(nearest) ?? 0;
	};
}

function visit(cursor: JsonCursor, wanted: Wanted, pointer: string, offsets: Map<string, number>): void {
	cursor.peek();
	// A member stands at its name, which was noted before; only the whole text and elements begin here.
	if (!offsets.has(pointer)) offsets.set(pointer, cursor.at);
	const enter = (segment: string, at: number) => {
		const below = wanted.get(segment);
		if (below === undefined) return cursor.skip();
		const inner = `${pointer}/${segment}`;
		offsets.set(inner, at);
		visit(cursor, below, inner, offsets);
	};
	if (wanted.size > 0 && cursor.isObject()) cursor.object((name, at) => enter(escapePointer(name), at));
	else if (wanted.size > 0 && cursor.isArray()) {
		let index = 0;
		cursor.array(() => {
			cursor.peek();
			enter(String(index++), cursor.at);
		});
	} else cursor.skip();
}
