import type { SomDocument } from './types.ts';

/** One operation of a JSON Patch (RFC 6902), of the three that SOM uses (SOM-SPEC §9). */
export type PatchOperation = { op: 'add' | 'replace'; path: string; value: unknown } | { op: 'remove'; path: string };

type Json = unknown;
type JsonObject = Record<string, Json>;

/**
 * The changes from one document to the next, as operations to be applied in order. Elements and regions are identified
 * by their ids: an element that stayed is changed field by field.
 */
export function diffSom(previous: SomDocument, next: SomDocument): PatchOperation[] {
	const operations: PatchOperation[] = [];
	diffObject(previous as unknown as JsonObject, next as unknown as JsonObject, '', operations);
	return operations;
}

/**
 * Applies operations to a copy of a document.
 *
 * @throws RangeError when a path does not exist in the document: the patch was made for another one.
 */
export function applySomPatch(document: SomDocument, operations: readonly PatchOperation[]): SomDocument {
	const copy = JSON.parse(JSON.stringify(document)) as Json;
	for (const operation of operations) apply(copy, operation);
	return copy as SomDocument;
}

function diffValue(before: Json, after: Json, path: string, operations: PatchOperation[]): void {
	if (Array.isArray(before) && Array.isArray(after) && before.every(hasId) && after.every(hasId)) {
		diffList(before as JsonObject[], after as JsonObject[], path, operations);
	} else if (isObject(before) && isObject(after)) diffObject(before, after, path, operations);
	else if (JSON.stringify(before) !== JSON.stringify(after)) operations.push({ op: 'replace', path, value: after });
}

function diffObject(before: JsonObject, after: JsonObject, path: string, operations: PatchOperation[]): void {
	for (const key of Object.keys(before)) {
		if (!(key in after)) operations.push({ op: 'remove', path: `${path}/${escaped(key)}` });
	}
	for (const [key, value] of Object.entries(after)) {
		const at = `${path}/${escaped(key)}`;
		if (key in before) diffValue(before[key], value, at, operations);
		else operations.push({ op: 'add', path: at, value });
	}
}

/** Removes what is gone, from the end; then walks the new list, adding what is missing where it stands. */
function diffList(
	before: readonly JsonObject[],
	after: readonly JsonObject[],
	path: string,
	operations: PatchOperation[],
): void {
	const stays = inOrder(before, after);
	for (let index = before.length - 1; index >= 0; index--) {
		if (!stays.has(before[index]!)) operations.push({ op: 'remove', path: `${path}/${index}` });
	}
	const partner = new Map([...stays].map((item) => [item.id, item]));
	for (const [index, item] of after.entries()) {
		const same = partner.get(item.id);
		if (same === undefined) operations.push({ op: 'add', path: `${path}/${index}`, value: item });
		else diffObject(same, item, `${path}/${index}`, operations);
	}
}

/** The items of the old list that the new one has in the same order: each that keeps the order going. */
function inOrder(before: readonly JsonObject[], after: readonly JsonObject[]): Set<JsonObject> {
	const position = new Map(after.map((item, index) => [item.id, index]));
	// The longest rising run of new positions: what is in it need not move.
	const tails: number[] = [];
	const indexOf: number[] = [];
	const previous = new Array<number>(before.length).fill(-1);
	for (const [index, item] of before.entries()) {
		const at = position.get(item.id);
		if (at === undefined) continue;
		let low = 0;
		let high = tails.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (tails[middle]! < at) low = middle + 1;
			else high = middle;
		}
		tails[low] = at;
		indexOf[low] = index;
		if (low > 0) previous[index] = indexOf[low - 1]!;
	}
	const kept = new Set<JsonObject>();
	for (let index = indexOf[tails.length - 1] ?? -1; index >= 0; index = previous[index]!) kept.add(before[index]!);
	return kept;
}

function apply(document: Json, operation: PatchOperation): void {
	const steps = operation.path.split('/').slice(1).map(unescaped);
	const last = steps.pop();
	let target = document;
	for (const step of steps) target = child(target, step, operation.path);
	if (last === undefined) throw new RangeError('a patch cannot replace the whole document');
	if (Array.isArray(target)) applyToList(target, last, operation);
	else if (isObject(target)) applyToObject(target, last, operation);
	else throw missing(operation.path);
}

function applyToList(list: Json[], step: string, operation: PatchOperation): void {
	const index = step === '-' ? list.length : Number(step);
	const end = operation.op === 'add' ? list.length : list.length - 1;
	if (!/^(?:0|[1-9]\d*|-)$/.test(step) || index > end) throw missing(operation.path);
	if (operation.op === 'add') list.splice(index, 0, operation.value);
	else if (operation.op === 'replace') list[index] = operation.value;
	else list.splice(index, 1);
}

function applyToObject(object: JsonObject, key: string, operation: PatchOperation): void {
	if (operation.op !== 'add' && !Object.hasOwn(object, key)) throw missing(operation.path);
	if (operation.op === 'remove') delete object[key];
	else
		Object.defineProperty(object, key, {
			value: operation.value,
			enumerable: true,
			writable: true,
			configurable: true,
		});
}

function child(target: Json, step: string, path: string): Json {
	if (Array.isArray(target) && /^\d+$/.test(step) && Number(step) < target.length) return target[Number(step)];
	if (isObject(target) && Object.hasOwn(target, step)) return target[step];
	throw missing(path);
}

function missing(path: string): RangeError {
	return new RangeError(`the document has no value at ${path}`);
}

function isObject(value: Json): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasId(value: Json): boolean {
	return isObject(value) && typeof value.id === 'string';
}

function escaped(key: string): string {
	return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescaped(step: string): string {
	return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
