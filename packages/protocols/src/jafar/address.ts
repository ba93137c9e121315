/**
 * Addresses as 32-bit words: one for IPv4, four for IPv6, most significant first.
 * The readers write into an array that the caller keeps, so that reading allocates nothing.
 */
export type Family = 4 | 6;

const dot = 0x2e;
const colon = 0x3a;

/**
 * Reads an address in the forms of RFC 4291 §2.2 (IPv6) or four decimal octets (IPv4) into `words`
 * and returns its family, or 0 when the text is no address: octal and short forms, zones and white space are not.
 */
export function readAddress(text: string, words: Uint32Array): Family | 0 {
	if (readIpv4(text, 0, words, 0)) return 4;
	return readIpv6(text, words) ? 6 : 0;
}

/** Reads four decimal octets that fill the text from `at` on, into `words[word]`. */
function readIpv4(text: string, at: number, words: Uint32Array, word: number): boolean {
	let value = 0;
	let octet = -1;
	let dots = 0;
	for (; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === dot) {
			if (octet < 0 || ++dots === 4) return false;
			value = (value << 8) | octet;
			octet = -1;
			continue;
		}
		const digit = code - 0x30;
		// A leading zero would be octal to some readers.
		if (digit < 0 || digit > 9 || octet === 0) return false;
		octet = octet < 0 ? digit : octet * 10 + digit;
		if (octet > 255) return false;
	}
	if (dots !== 3 || octet < 0) return false;
	words[word] = (value << 8) | octet;
	return true;
}

/** The 16-bit groups that are written, until it is known how many `::` stands for. */
const groups = new Uint16Array(8);
const embedded = new Uint32Array(1);

/** Reads an IPv6 address that fills the text. */
function readIpv6(text: string, words: Uint32Array): boolean {
	const { length } = text;
	let at = 0;
	/** How many groups are read, and before which of them `::` stood. */
	let count = 0;
	let gap = -1;
	if (text.charCodeAt(0) === colon) {
		if (text.charCodeAt(1) !== colon) return false;
		gap = 0;
		at = 2;
	}
	while (at < length) {
		if (count === 8) return false;
		const start = at;
		let group = 0;
		let digit = hexDigit(text.charCodeAt(at));
		while (digit >= 0) {
			group = (group << 4) | digit;
			digit = hexDigit(text.charCodeAt(++at));
		}
		if (at === length) {
			if (at - start > 4) return false;
			groups[count++] = group;
			break;
		}
		const code = text.charCodeAt(at);
		if (code === dot) {
			// The last two groups as an IPv4 address.
			if (count > 6 || !readIpv4(text, start, embedded, 0)) return false;
			const [word = 0] = embedded;
			groups[count++] = word >>> 16;
			groups[count++] = word & 0xffff;
			break;
		}
		if (code !== colon || at === start || at - start > 4) return false;
		groups[count++] = group;
		at++;
		if (text.charCodeAt(at) === colon) {
			if (gap >= 0) return false;
			gap = count;
			at++;
		} else if (at === length) return false;
	}
	if (gap < 0 ? count !== 8 : count === 8) return false;
	if (gap >= 0) spread(gap, count);
	for (let word = 0; word < 4; word++) words[word] = ((groups[word * 2] ?? 0) << 16) | (groups[word * 2 + 1] ?? 0);
	return true;
}

/** The value of a hexadecimal digit, by its code; -1 for every other character. */
const hexDigits = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 16; digit++) {
	const character = digit.toString(16);
	hexDigits[character.charCodeAt(0)] = digit;
	hexDigits[character.toUpperCase().charCodeAt(0)] = digit;
}

function hexDigit(code: number): number {
	return code < 128 ? (hexDigits[code] ?? -1) : -1;
}

/** Moves the groups behind `gap` to the end and zeros between: what `::` stands for. */
function spread(gap: number, count: number): void {
	const moved = 8 - count;
	for (let index = 7; index >= gap + moved; index--) groups[index] = groups[index - moved] ?? 0;
	groups.fill(0, gap, gap + moved);
}

/** Whether the words are an IPv4 address mapped into IPv6 (`::ffff:a.b.c.d`, RFC 4291 §2.5.5.2). */
export function isMapped(words: Uint32Array): boolean {
	return words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
}

/** The one text of an address: four octets, or RFC 5952. */
export function formatAddress(family: Family, words: ArrayLike<number>): string {
	return family === 4 ? formatIpv4(words[0] ?? 0) : formatIpv6(words);
}

function formatIpv4(word: number): string {
	return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
}

/** RFC 5952: no leading zeros, lower case, the first longest run of two or more zero groups as `::`. */
function formatIpv6(words: ArrayLike<number>): string {
	const mapped = words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
	if (mapped) return `::ffff:${formatIpv4(words[3] ?? 0)}`;
	const groups = Array.from(words).flatMap((word) => [word >>> 16, word & 0xffff]);
	const { start, length } = findZeroRun(groups);
	const hex = groups.map((group) => group.toString(16));
	if (length < 2) return hex.join(':');
	return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

function findZeroRun(groups: readonly number[]): { start: number; length: number } {
	let best = { start: 0, length: 0 };
	let length = 0;
	groups.forEach((group, index) => {
		length = group === 0 ? length + 1 : 0;
		if (length > best.length) best = { start: index - length + 1, length };
	});
	return best;
}

/**
 * The canonical text of an address, or undefined for any other text: for comparing and storing addresses that were
 * written differently.
 */
export function canonicalAddress(text: string): string | undefined {
	const words = new Uint32Array(4);
	const family = readAddress(text, words);
	return family === 0 ? undefined : formatAddress(family, words);
}
