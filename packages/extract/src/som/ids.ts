import { parseUrl } from '@wayleave/protocols/url';
import { normalise } from './text.ts';

const encoder = new TextEncoder();

/** Makes element ids that are the same on every run, and unique within a document (SOM-SPEC §7). */
export function createIds(url: string, sha256: (bytes: Uint8Array) => Uint8Array): IdMaker {
	const origin = originOf(url);
	const used = new Map<string, number>();
	return {
		element(role, name, path) {
			const key = normalise(name).toLowerCase().slice(0, 100).trim();
			const digest = sha256(encoder.encode(`${origin}|${role}|${key}|${path}`));
			const id = `e_${hex(digest.subarray(0, 6))}`;
			const count = (used.get(id) ?? 0) + 1;
			used.set(id, count);
			return count === 1 ? id : `${id}_${count}`;
		},
	};
}

export interface IdMaker {
	element(role: string, name: string, path: string): string;
}

function originOf(url: string): string {
	// `origin` omits a default port.
	return parseUrl(url)?.origin ?? '';
}

function hex(bytes: Uint8Array): string {
	let text = '';
	for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
	return text;
}
