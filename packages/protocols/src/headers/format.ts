import { encodeBase64 } from './base64.ts';
import type { BareItem, Dictionary, Item, List, Member, Parameters } from './types.ts';

/** Writes a dictionary (RFC 9651 §4.1.2); undefined when some part of it cannot be written. */
export function formatDictionary(dictionary: Dictionary): string | undefined {
	return joined([...dictionary].map(([key, member]) => formatEntry(key, member)));
}

/** Writes a list (RFC 9651 §4.1.1); undefined when some part of it cannot be written. */
export function formatList(list: List): string | undefined {
	return joined(list.map(formatMember));
}

/** Writes an item with its parameters (RFC 9651 §4.1.3); undefined when it cannot be written. */
export function formatItem(item: Item): string | undefined {
	return followed(formatBareItem(item), formatParameters(item.params));
}

function formatEntry(key: string, member: Member): string | undefined {
	if (!isKey(key)) return undefined;
	if (member.type === 'boolean' && member.value) return followed(key, formatParameters(member.params));
	return followed(`${key}=`, formatMember(member));
}

function formatMember(member: Member): string | undefined {
	if (member.type !== 'inner-list') return formatItem(member);
	const items = joined(member.value.map(formatItem), ' ');
	return items === undefined ? undefined : followed(`(${items})`, formatParameters(member.params));
}

function formatParameters(params: Parameters): string | undefined {
	const parts = [...params].map(([key, value]) => {
		if (!isKey(key)) return undefined;
		return value.type === 'boolean' && value.value ? `;${key}` : followed(`;${key}=`, formatBareItem(value));
	});
	return joined(parts, '');
}

function formatBareItem(item: BareItem): string | undefined {
	switch (item.type) {
		case 'integer':
			return formatInteger(item.value);
		case 'decimal':
			return formatDecimal(item.value);
		case 'date':
			return followed('@', formatInteger(item.value));
		case 'boolean':
			return item.value ? '?1' : '?0';
		case 'bytes':
			return `:${encodeBase64(item.value)}:`;
		case 'token':
			return /^[A-Za-z*][!#$%&'*+.^_`|~:/A-Za-z0-9-]*$/.test(item.value) ? item.value : undefined;
		case 'string':
			return /^[ -~]*$/.test(item.value) ? `"${item.value.replace(/["\\]/g, '\\$&')}"` : undefined;
		case 'display-string':
			return /\p{Surrogate}/u.test(item.value) ? undefined : `%"${encodeDisplay(item.value)}"`;
	}
}

function formatInteger(value: number): string | undefined {
	return Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value + 0) : undefined;
}

/** Three decimals at most, a half rounded to the even neighbour (RFC 9651 §4.1.5). */
function formatDecimal(value: number): string | undefined {
	const thousandths = Math.abs(value) * 1000;
	const below = Math.floor(thousandths);
	const isHalf = thousandths - below === 0.5;
	const rounded = isHalf ? below + (below % 2) : Math.round(thousandths);
	if (!(rounded < 1e15)) return undefined;
	const fraction = String(rounded % 1000)
		.padStart(3, '0')
		.replace(/0{1,2}$/, '');
	return `${value < 0 && rounded > 0 ? '-' : ''}${Math.floor(rounded / 1000)}.${fraction}`;
}

function encodeDisplay(value: string): string {
	let text = '';
	for (const byte of new TextEncoder().encode(value)) {
		const plain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25 && byte !== 0x22;
		text += plain ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`;
	}
	return text;
}

function isKey(key: string): boolean {
	return /^[a-z*][a-z0-9_.*-]*$/.test(key);
}

function followed(first: string | undefined, second: string | undefined): string | undefined {
	return first === undefined || second === undefined ? undefined : first + second;
}

function joined(parts: readonly (string | undefined)[], separator = ', '): string | undefined {
	return parts.includes(undefined) ? undefined : parts.join(separator);
}
