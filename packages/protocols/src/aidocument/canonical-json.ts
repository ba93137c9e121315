import { isObject } from '../internal/json-schema.ts';
import { maxJsonDepth } from '../internal/json-text.ts';

/**
 * Writes a value as canonical JSON (RFC 8785): members in the order of their UTF-16 code units, no white space.
 * Undefined where the RFC demands an error (a lone surrogate, a number that is not finite), for what is not JSON,
 * and beyond 256 levels. Members that are undefined are left out, as JSON.stringify does.
 */
export function canonicalJson(value: unknown): string | undefined {
	return write(value, 0);
}

function write(value: unknown, depth: number): string | undefined {
	if (typeof value === 'string') return writeString(value);
	if (Number.isFinite(value) || typeof value === 'boolean' || value === null) return String(value);
	if (depth >= maxJsonDepth) return undefined;
	if (Array.isArray(value)) return writeArray(value, depth);
	return isObject(value) ? writeObject(value, depth) : undefined;
}

function writeArray(items: readonly unknown[], depth: number): string | undefined {
	let text = '';
	for (const value of items) {
		const item = write(value, depth + 1);
		if (item === undefined) return item;
		text += (text && ',') + item;
	}
	return `[${text}]`;
}

function writeObject(value: Record<string, unknown>, depth: number): string | undefined {
	let text = '';
	for (const name of sorted(Object.keys(value))) {
		if (value[name] === undefined) continue;
		const key = writeString(name);
		const member = write(value[name], depth + 1);
		if (key === undefined || member === undefined) return undefined;
		text += `${text && ','}${key}:${member}`;
	}
	return `{${text}}`;
}

/** Objects of documents have few members: those are put in order in place, which costs less than `sort`. */
function sorted(names: string[]): string[] {
	if (names.length > 9) return names.sort();
	for (let i = 1; i < names.length; i++) {
		for (let k = i; k > 0; k--) {
			const [name, before] = [names[k], names[k - 1]];
			if (name === undefined || before === undefined || name > before) break;
			names[k] = before;
			names[k - 1] = name;
		}
	}
	return names;
}

/** Nothing to escape: most addresses, and all names that we give. */
const plain = /^[ !#-[\]-~]*$/;

/** JSON.stringify escapes exactly what RFC 8785 §3.2.2.2 names, and lone surrogates, which have no place in I-JSON. */
function writeString(value: string): string | undefined {
	if (plain.test(value)) return `"${value}"`;
	const text = JSON.stringify(value);
	return text.includes('\\ud') && /\p{Cs}/u.test(value) ? undefined : text;
}
