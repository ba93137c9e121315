import { canonicalJson } from './canonical-json.ts';
import type { Heading, Image, Link } from './types.ts';

/** The fields of a document that its name is made from, in the order of canonical JSON. */
const fields = [
	'canonical_url',
	'content_type',
	'description',
	'headings',
	'images',
	'language',
	'links',
	'markdown',
	'structured_data',
	'title',
	'url',
] as const;

export type Fields = { readonly [Name in (typeof fields)[number]]?: unknown };

/** Longer texts get memory of their own, by `canonicalJson`. */
const maxLength = 1 << 18;

const encoder = new TextEncoder();
/** Used again for each document. Three bytes a character are enough (WHATWG Encoding, `encodeInto`). */
let memory = new Uint8Array(1 << 16);

/**
 * The canonical JSON (RFC 8785) of these fields in UTF-8. The engine writes it, from members in their order: JSON.stringify
 * escapes what the RFC names. The bytes are good until the next call. Undefined for a document that has other members,
 * values or surrogates than most have: `canonicalJson` decides on it.
 */
export function quickBytes(values: Fields): Uint8Array | undefined {
	let at = 0;
	for (const name of fields) {
		const value = values[name];
		if (value === undefined) continue;
		const json = quickJson(name, value);
		if (json === undefined || json.includes('\\ud') || at + json.length > maxLength) return undefined;
		const text = `${at === 0 ? '{' : ','}"${name}":`;
		makeRoom(at, 3 * (json.length + text.length));
		at += encoder.encodeInto(text, memory.subarray(at)).written;
		at += encoder.encodeInto(json, memory.subarray(at)).written;
	}
	if (at === 0) return undefined;
	makeRoom(at, 1);
	memory[at] = closingBrace;
	return memory.subarray(0, at + 1);
}

const closingBrace = 0x7d;

function makeRoom(used: number, more: number): void {
	if (used + more <= memory.length) return;
	const larger = new Uint8Array(2 * (used + more));
	larger.set(memory.subarray(0, used));
	memory = larger;
}

function quickJson(name: (typeof fields)[number], value: unknown): string | undefined {
	if (name === 'structured_data') return canonicalJson(value);
	if (typeof value === 'string') return JSON.stringify(value);
	if (!Array.isArray(value)) return undefined;
	if (name === 'links') return listJson(value, linkInOrder);
	if (name === 'headings') return listJson(value, headingInOrder);
	return name === 'images' ? listJson(value, imageInOrder) : undefined;
}

function listJson<Item>(items: readonly Item[], inOrder: (item: Item) => object | undefined): string | undefined {
	const list: object[] = [];
	for (const item of items) {
		const ordered = typeof item === 'object' && item !== null ? inOrder(item) : undefined;
		if (ordered === undefined) return undefined;
		list.push(ordered);
	}
	return JSON.stringify(list);
}

/** Undefined for a link with other members, or with values of other types; so the two below. */
function linkInOrder(link: Link): object | undefined {
	const { internal, rel, text, url } = link;
	if (typeof internal !== 'boolean' || typeof url !== 'string' || !mayBeText(rel) || !mayBeText(text)) return undefined;
	return countMembers(link) === 2 + has(rel) + has(text) ? { internal, rel, text, url } : undefined;
}

function headingInOrder(heading: Heading): object | undefined {
	const { id, level, text } = heading;
	if (!Number.isFinite(level) || typeof text !== 'string' || !mayBeText(id)) return undefined;
	return countMembers(heading) === 2 + has(id) ? { id, level, text } : undefined;
}

function imageInOrder(image: Image): object | undefined {
	const { alt, url } = image;
	if (typeof url !== 'string' || !mayBeText(alt)) return undefined;
	return countMembers(image) === 1 + has(alt) ? { alt, url } : undefined;
}

const mayBeText = (value: unknown): boolean => value === undefined || typeof value === 'string';

const has = (value: unknown): 0 | 1 => (value === undefined ? 0 : 1);

function countMembers(value: object): number {
	let count = 0;
	for (const _ in value) count++;
	return count;
}
