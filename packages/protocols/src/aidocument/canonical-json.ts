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
	if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : undefined;
	if (typeof value === 'boolean' || value === null) return String(value);
	if (depth >= maxJsonDepth) return undefined;
	if (Array.isArray(value))
		return joined(
			'[',
			value.map((item) => write(item, depth + 1)),
			']',
		);
	return isObject(value) ? writeObject(value, depth) : undefined;
}

function writeObject(value: Record<string, unknown>, depth: number): string | undefined {
	const names = Object.keys(value).filter((name) => value[name] !== undefined);
	const members = names.sort().map((name) => {
		const key = writeString(name);
		const member = write(value[name], depth + 1);
		return key === undefined || member === undefined ? undefined : `${key}:${member}`;
	});
	return joined('{', members, '}');
}

/** JSON.stringify escapes exactly what RFC 8785 §3.2.2.2 names, and lone surrogates, which have no place in I-JSON. */
function writeString(value: string): string | undefined {
	return /\p{Surrogate}/u.test(value) ? undefined : JSON.stringify(value);
}

function joined(open: string, parts: readonly (string | undefined)[], close: string): string | undefined {
	return parts.includes(undefined) ? undefined : open + parts.join(',') + close;
}
