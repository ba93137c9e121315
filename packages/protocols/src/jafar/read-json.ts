import { decodeUtf16 } from '../internal/utf16.ts';
import { readOwnForm } from './own-forms.ts';
import { parseRanges } from './parse.ts';

const whole = { line: 0, column: 0 } as const;

/** Up to this many unreadable entries are named one by one. */
const namedEntries = 3;

/**
 * Reads a list; if none of its entries matches the draft, tries the formats that operators publish. Then one problem
 * covers all entries.
 */
export function readRangesJson(bytes: Uint8Array, text: string): ReturnType<typeof parseRanges> {
	// UTF-16 is read for the author of a file; readers of a published list refuse it.
	const utf16 = decodeUtf16(bytes);
	if (utf16 !== undefined) {
		const { value, problems } = readRangesJson(new TextEncoder().encode(utf16), utf16);
		return { value, problems: [{ code: 'ranges-utf-16', severity: 'error', ...whole, args: {} }, ...problems] };
	}
	const read = parseRanges(bytes);
	if ((read.value?.prefixes.length ?? 0) > 0) return read;
	const prefixes = readOwnForm(text)?.prefixes;
	if (prefixes !== undefined)
		return {
			value: { format: 'legacy', synctoken: '', prefixes },
			problems: [{ code: 'ranges-own-form', severity: 'info', ...whole, args: { count: prefixes.length } }],
		};
	const unread = read.problems.filter(
		({ code }) => code === 'ranges-prefix-fields' || code === 'ranges-malformed-prefix',
	);
	if (unread.length <= namedEntries) return read;
	return { value: undefined, problems: [{ code: 'ranges-nothing-read', severity: 'error', ...whole, args: {} }] };
}
