/**
 * How a file is read.
 *
 * - `rfc9309`: exact keys, exact product tokens, unreserved octets decoded before comparison.
 * - `google`: what Google's parser does: misspelt keys, keys that only begin right, a missing colon, its line limit,
 *   part of a byte order mark, `index.html` as its folder; escapes are compared as written.
 * - `default`: `rfc9309` and the lenient readings that add a restriction or name an agent. What is not a
 *   well-formed `Allow` line never becomes a permission.
 */
export type RobotsMode = 'rfc9309' | 'google' | 'default';

/** The switches behind a mode, so that each departure has one name and one place. */
export interface Reading {
	/** Keys as people misspell them: `Disalow`, `Useragent`, `Site-map`. */
	readonly typos: boolean;
	/** Any key that begins with a known one: `Disallow-AI`, `Allowed`. */
	readonly prefixKeys: boolean;
	/** `Disallow /x`: for no key, for every key, or for the known keys except `Allow`, which would widen access. */
	readonly missingColon: 'never' | 'always' | 'not-allow';
	/**
	 * A `User-agent` value must be a product token, or is cut to one, or is compared whole before it is cut.
	 * With `cut`, the agent in question is taken as given; otherwise the product of a User-Agent header is found in it.
	 */
	readonly agentLines: 'exact' | 'cut' | 'whole-first';
	/** Escapes are compared as written; otherwise both sides are brought to one form (RFC 9309 §2.2.2). */
	readonly escapesAsWritten: boolean;
	/** `Allow: /x/index.html` also allows `/x/`. */
	readonly indexPages: boolean;
	/** Decodes a file in UTF-16; otherwise its bytes are read as they are, which yields no records. */
	readonly utf16: boolean;
	/** Also reads the key and the pattern of a `Disallow` without invisible blanks. */
	readonly invisible: boolean;
	/** One or two bytes of a byte order mark are skipped like all three. */
	readonly partialBom: boolean;
	/** Bytes of a line that are read. */
	readonly lineLimit: number;
	/** `/robots.txt` is always allowed (RFC 9309 §2.2.2). */
	readonly robotsTxtAllowed: boolean;
}

/** Longer than any string. */
export const noLineLimit = 2 ** 30;

/** Eight times the longest URL of old browsers, less the terminating NUL. */
export const googleLineLimit = 8 * 2083 - 1;

const rfc9309: Reading = {
	typos: false,
	prefixKeys: false,
	missingColon: 'never',
	agentLines: 'exact',
	escapesAsWritten: false,
	indexPages: false,
	utf16: false,
	invisible: false,
	partialBom: false,
	lineLimit: noLineLimit,
	robotsTxtAllowed: true,
};

export const readings: Record<RobotsMode, Reading> = {
	rfc9309,
	default: {
		...rfc9309,
		typos: true,
		missingColon: 'not-allow',
		agentLines: 'whole-first',
		utf16: true,
		invisible: true,
	},
	google: {
		...rfc9309,
		typos: true,
		prefixKeys: true,
		missingColon: 'always',
		agentLines: 'cut',
		escapesAsWritten: true,
		indexPages: true,
		partialBom: true,
		lineLimit: googleLineLimit,
		robotsTxtAllowed: false,
	},
};
