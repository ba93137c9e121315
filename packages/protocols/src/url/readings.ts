import { parseUrl } from './parse-url.ts';

/**
 * Ways in which servers read a path. Each setting adds readings and takes none away, so it can only withhold more.
 * The sources are the servers' own manuals and `npm run test:upstreams`, which asks real ones.
 */
export interface Readings {
	/** `//x` is `/x` (nginx `merge_slashes`, Apache `MergeSlashes`), and `//host/x` is `/x` (`new URL(request.url, base)`). */
	readonly mergeSlashes: boolean;
	/** `%2F` is `/`. */
	readonly encodedSlashes: boolean;
	/** `%5C` is `/`. A raw backslash is always refused. */
	readonly backslashes: boolean;
	/** `/a;v=1/b` is `/a/b` (Servlet 6.0 §3.5.2), and `/a;v=1` is `/a`. */
	readonly pathParameters: boolean;
	/** Dots, spaces and `::$DATA` at the end of a name count for nothing (Windows). */
	readonly trailingDots: boolean;
	/** Overlong UTF-8 is decoded, other invalid octets are dropped or read as ISO 8859-1. */
	readonly invalidUtf8: boolean;
	/** Names are compared after Unicode normalisation, without invisible characters (APFS, HFS+, Windows best fit). */
	readonly unicodeForms: boolean;
	/** `/x.html/more` is `/x.html`: what follows the name of a file is for its program (CGI `PATH_INFO`, RFC 3875 §4.1.5). */
	readonly pathInfo: boolean;
	/** `%3F` and `%23` end the path. */
	readonly encodedDelimiters: boolean;
	/** `/X` is `/x`. */
	readonly ignoreCase: boolean;
	/** `/x/` is `/x`. */
	readonly ignoreTrailingSlash: boolean;
	/** `%2561` is `a`. */
	readonly decodeTwice: boolean;
}

/** The strictest readings that withhold no page of an ordinary site: letter case and a final slash mean something. */
export const defaultReadings: Readings = {
	mergeSlashes: true,
	encodedSlashes: true,
	backslashes: true,
	pathParameters: true,
	trailingDots: true,
	invalidUtf8: true,
	unicodeForms: true,
	pathInfo: true,
	encodedDelimiters: true,
	ignoreCase: false,
	ignoreTrailingSlash: false,
	decodeTwice: false,
};

const onlySlashes: Readings = {
	...defaultReadings,
	backslashes: false,
	pathParameters: false,
	trailingDots: false,
	invalidUtf8: false,
	unicodeForms: false,
	encodedDelimiters: false,
};

/** Changes that each server makes to a path before it looks for a page, with its default modules and settings. */
export const readingPresets = {
	nginx: onlySlashes,
	apache: onlySlashes,
	lighttpd: onlySlashes,
	php: onlySlashes,
	python: onlySlashes,
	// Its path matchers ignore case: https://caddyserver.com/docs/caddyfile/matchers#path
	caddy: { ...onlySlashes, ignoreCase: true },
	tomcat: { ...onlySlashes, backslashes: true, pathParameters: true },
	iis: {
		...onlySlashes,
		backslashes: true,
		trailingDots: true,
		invalidUtf8: true,
		unicodeForms: true,
		ignoreCase: true,
		decodeTwice: true,
	},
	// A router without `caseSensitive` and `strict`.
	express: { ...onlySlashes, backslashes: true, ignoreCase: true, ignoreTrailingSlash: true },
} as const satisfies Record<string, Readings>;

export type ReadingPreset = keyof typeof readingPresets;

/** Readings that have any of the given ones: for a server behind another. */
export function unionOfReadings(all: readonly Readings[]): Readings {
	const names = Object.keys(defaultReadings) as (keyof Readings)[];
	return Object.fromEntries(names.map((name) => [name, all.some((each) => each[name])])) as unknown as Readings;
}

/** Why a path is refused: servers read it differently, and no honest client sends it. */
export type PathFault = 'bad-character' | 'bad-escape' | 'dot-segment' | 'too-ambiguous';

/** Readings of one path that are judged. Honest addresses have fewer than ten. */
const maxReadings = 64;

/** Printable ASCII without `#`; `"`, `<`, `>`, `^`, backtick, braces and bar pass: servers take them as they are. */
const printable = /^[\x21\x22\x24-\x7e]+$/;
/** Dots that climb, raw or encoded, between raw, encoded or backward slashes; parameters and spaces hide no dots. */
const dotSegment = /(?:^|\/|\\|%2f|%5c)(?:\.|%2e){1,2}(?=$|\/|\\|%2f|%5c|;|%3b|%20)/i;
const badEscape = /%(?![\da-f]{2})/i;
const control = /%(?:[01][\da-f]|7f)/i;
/** A path without any of these has one reading, save for letter case and the final slash. */
const needsCare = /[%;\\]|\/\/|\/\.|\.(?:\/|$)|:[^/]*\$|\.[a-z\d]{1,5}\//i;

/**
 * Every path that a server may see in the given one, the path itself first; with the query of the request behind it.
 * A rule that withholds one of them withholds the page.
 *
 * @param path as it came, without its query, beginning with `/`. Nothing may have repaired it before.
 * @param query with its `?`, or empty.
 */
export function readPath(path: string, query: string, readings: Readings): readonly string[] | PathFault {
	if (!printable.test(path) || (query !== '' && !printable.test(query))) return 'bad-character';
	if (!needsCare.test(path)) {
		return readings.ignoreTrailingSlash ? withSlashes(path).map((each) => each + query) : [path + query];
	}
	if (badEscape.test(path)) return 'bad-escape';
	if (path.includes('\\') || control.test(path)) return 'bad-character';
	if (dotSegment.test(path)) return 'dot-segment';
	const found = [decodeUnreserved(path)];
	for (const { setting, changes, alternatives } of steps) {
		if (setting !== undefined && !readings[setting]) continue;
		for (const known of found.filter((each) => changes.test(each))) {
			for (const other of alternatives(known)) if (!found.includes(other)) found.push(other);
		}
		if (found.length > maxReadings) return 'too-ambiguous';
	}
	return found.map((each) => (each.includes('?') && query !== '' ? `${each}&${query.slice(1)}` : each + query));
}

interface Step {
	/** Undefined: the step is always done. */
	readonly setting?: keyof Readings;
	/** Characters of paths that the step changes. Few paths have them, and the others skip the step. */
	readonly changes: RegExp;
	/** Results of the step; the path itself stays a reading. */
	readonly alternatives: (path: string) => Iterable<string>;
}

/** In the order in which a server does them. */
const steps: readonly Step[] = [
	{
		setting: 'decodeTwice',
		changes: /%25[\dA-Fa-f]{2}/,
		alternatives: (path) => [decodeUnreserved(path.replace(/%25(?=[\da-f]{2})/gi, '%'))],
	},
	{ setting: 'invalidUtf8', changes: /%[89A-F]/, alternatives: readInvalid },
	{ setting: 'unicodeForms', changes: /%[89A-F]/, alternatives: normalForms },
	{ setting: 'encodedDelimiters', changes: /%3F|%23/, alternatives: cutAtDelimiter },
	{ setting: 'pathParameters', changes: /;|%3B/, alternatives: withoutParameters },
	{ setting: 'encodedSlashes', changes: /%2F/, alternatives: (path) => [path.replaceAll('%2F', '/')] },
	{ setting: 'backslashes', changes: /%5C/, alternatives: (path) => [path.replaceAll('%5C', '/')] },
	{
		setting: 'trailingDots',
		changes: /(?:\.|%20)(?:\/|$)|\$|%24/,
		alternatives: (path) => [mapSegments(path, windowsName)],
	},
	{ setting: 'mergeSlashes', changes: /\/\//, alternatives: mergeSlashes },
	{ changes: /\/\./, alternatives: (path) => [removeDotSegments(path)] },
	{ setting: 'pathInfo', changes: /\.[a-z\d]{1,5}\//i, alternatives: filesWithin },
	{ setting: 'ignoreTrailingSlash', changes: /./, alternatives: withSlashes },
];

/** `%61` and `a` are the same character (RFC 3986 §6.2.2.2); other escapes in upper case. */
export function decodeUnreserved(path: string): string {
	return path.replace(/%[\da-f]{2}/gi, (found) => {
		const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
		return /[\w.~-]/.test(character) ? character : found.toUpperCase();
	});
}

/** RFC 3986 §5.2.4 over whole segments. */
export function removeDotSegments(path: string): string {
	if (!/\/\.{1,2}(?:\/|$)/.test(path)) return path;
	const kept: string[] = [];
	const segments = path.split('/').slice(1);
	for (const [at, segment] of segments.entries()) {
		if (segment === '..') kept.pop();
		if (segment !== '..' && segment !== '.') kept.push(segment);
		else if (at === segments.length - 1) kept.push('');
	}
	return `/${kept.join('/')}`;
}

/** `//x/y` is `/x/y`, and `/y` to programs that parse the target as a reference: `new URL(request.url, base)`. */
function mergeSlashes(path: string): string[] {
	const merged = path.replace(/\/{2,}/g, '/');
	const authority = /^\/\/[^/?]+(?=\/)/.exec(path);
	return authority === null ? [merged] : [merged, path.slice(authority[0].length)];
}

function mapSegments(path: string, change: (segment: string) => string): string {
	return path.split('/').map(change).join('/');
}

/** `name. .`, `name::$DATA` and `name:$i30:$INDEX_ALLOCATION` open `name` on Windows. */
function windowsName(segment: string): string {
	const plain = segment.replace(/%3A/g, ':').replace(/%24/g, '$');
	return plain.replace(/:[^$]*\$.*$/, '').replace(/(?:\.|%20)+$/, '');
}

/** Raw and encoded semicolons; a cut at the first one is what old URL parsers and `useSemicolonDelimiter` do. */
function withoutParameters(path: string): string[] {
	const cut = (semicolon: RegExp) => mapSegments(path, (segment) => segment.split(semicolon, 1)[0] ?? '');
	return [cut(/;/), cut(/;|%3B/), path.split(/;|%3B/, 1)[0] || '/'];
}

/** The files in a path that something follows. Below `index.php` lie the pages of a front controller, which are others. */
function filesWithin(path: string): string[] {
	const ends = path.matchAll(/\/(?!index\.)[^/?]*\.[a-z\d]{1,5}(?=\/)/gi);
	return [...ends].map(({ 0: name, index }) => path.slice(0, index + name.length));
}

function cutAtDelimiter(path: string): string[] {
	const at = path.search(/%3F|%23/);
	if (at < 0) return [];
	const before = path.slice(0, at) || '/';
	return path.startsWith('%3F', at) ? [before, `${before}?${path.slice(at + 3)}`] : [before];
}

function withSlashes(path: string): string[] {
	const bare = path.replace(/\/+$/, '');
	return bare === '' ? [path] : [path, path === bare ? `${bare}/` : bare];
}

const escapedBytes = /(?:%[89A-F][\dA-F](?:%[\dA-F]{2})*)/g;

function bytesOf(escapes: string): Uint8Array {
	return Uint8Array.from(escapes.slice(1).split('%'), (digits) => Number.parseInt(digits, 16));
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeStrictly(escapes: string): string | undefined {
	try {
		return strictUtf8.decode(bytesOf(escapes));
	} catch {
		return undefined;
	}
}

/** Text as it stands in a path: characters that would change its structure are escaped. */
function escapeText(text: string): string {
	return decodeUnreserved(encodeURIComponent(text));
}

/** Octets that are no UTF-8: overlong forms decoded, the invalid ones dropped, all read as ISO 8859-1. */
function readInvalid(path: string): string[] {
	const runs = path.match(escapedBytes);
	if (runs === null || runs.every((run) => decodeStrictly(run) !== undefined)) return [];
	const each = (read: (bytes: Uint8Array) => string) =>
		path.replace(escapedBytes, (run) => (decodeStrictly(run) === undefined ? read(bytesOf(run)) : run));
	return [
		each((bytes) => readOverlong(bytes, true)),
		each((bytes) => readOverlong(bytes, false)),
		each((bytes) => escapeText(String.fromCharCode(...bytes))),
	];
}

/** UTF-8 as the decoders read it that check neither length nor range (RFC 3629 §10); `false`: invalid octets are dropped. */
function readOverlong(bytes: Uint8Array, overlong: boolean): string {
	let text = '';
	for (let at = 0; at < bytes.length; ) {
		const first = bytes[at] ?? 0;
		const length = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
		const rest = bytes.subarray(at + 1, at + length);
		const whole = length > 0 && rest.length === length - 1 && rest.every((byte) => byte >> 6 === 2);
		let code = length === 1 ? first : first & (0x7f >> length);
		for (const byte of rest) code = (code << 6) | (byte & 0x3f);
		const least = [0, 0, 0x80, 0x800, 0x10000][length] ?? 0;
		const scalar = whole && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
		const read = scalar && (overlong || code >= least);
		if (read) text += escapeText(String.fromCodePoint(code));
		else if (overlong) text += `%${first.toString(16).toUpperCase()}`;
		at += read ? length : 1;
	}
	return text;
}

/** Characters that normalisation can change, and those that change the structure of a path. */
const structural = /[^\x21-\x7e]+|[/\\;?#]/gu;

/** The path in the normal forms by which file systems compare names, and without invisible characters. */
function normalForms(path: string): string[] {
	const each = (change: (text: string) => string) =>
		path.replace(escapedBytes, (run) => {
			const text = decodeStrictly(run);
			return text === undefined ? run : escapeText(change(text));
		});
	const bestFit = (text: string) =>
		text
			.normalize('NFKC')
			.replace(/[\u2044\u2215]/g, '/')
			.replaceAll('\u2216', '\\');
	const visible = (text: string) => text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
	// A combining mark belongs to the letter before it, which is no escape: whole segments are normalised.
	const form = (name: string) =>
		mapSegments(path, (segment) => {
			const text = decodeStrictlyText(segment);
			return text === undefined ? segment : text.normalize(name).replace(structural, encodeURIComponent);
		});
	return [form('NFC'), form('NFD'), form('NFKC'), each(visible), each((text) => bestFit(visible(text)))];
}

/** A segment whose octets beyond ASCII are decoded, its other escapes kept; undefined where it is no UTF-8. */
function decodeStrictlyText(segment: string): string | undefined {
	let whole = true;
	const text = segment.replace(escapedBytes, (run) => {
		const decoded = decodeStrictly(run);
		whole &&= decoded !== undefined;
		// ASCII that was escaped stays so: `%2F` behind a letter is no slash yet.
		return (decoded ?? '').replace(/[^\w.~\-\x80-\u{10ffff}]/gu, encodeURIComponent);
	});
	return whole && text !== segment ? text : undefined;
}

/** The page that an address names. */
export interface PageAddress {
	/** `https://example.com`: scheme and host in lower case, the default port left out. */
	readonly origin: string;
	/** Path and query as a client sends them: dots resolved, characters beyond ASCII and spaces escaped. */
	readonly raw: string;
	/** `raw`, and how else servers may read it. */
	readonly readings: readonly string[];
}

export type AddressFault = PathFault | 'not-a-url' | 'credentials';

const address = /^(https?):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?/i;

/**
 * Reads an http or https URL as it was written, before any parser has repaired it: WHATWG parsers drop tabs and line
 * breaks, and make a slash of a backslash. The fragment is dropped. Dot segments are resolved (RFC 3986 §5.2.4) where
 * every server resolves them alike.
 */
export function readPageUrl(text: string, readings: Readings): PageAddress | AddressFault {
	if (/[\0-\x1f\x7f\ud800-\udfff]/u.test(text)) return 'bad-character';
	const [, scheme, authority = '', path = '', query = ''] = address.exec(text) ?? [];
	if (scheme === undefined || authority === '') return 'not-a-url';
	if (authority.includes('\\')) return 'bad-character';
	if (authority.includes('@')) return 'credentials';
	const origin = parseUrl(`${scheme}://${authority}/`)?.origin;
	if (origin === undefined) return 'not-a-url';
	const sent = resolveDots(escapeRest(path === '' ? '/' : path));
	const found = readPath(sent, escapeRest(query), readings);
	if (typeof found === 'string') return found;
	return { origin, raw: sent + escapeRest(query), readings: found };
}

function escapeRest(text: string): string {
	return text.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
}

/** Beside these, servers disagree about what `..` removes. */
const dotsAreUnclear = /\/\/|\\|;|%3b|%2f|%5c/i;

function resolveDots(path: string): string {
	if (!dotSegment.test(path) || dotsAreUnclear.test(path)) return path;
	return removeDotSegments(path.replace(/%2e/gi, '.'));
}

/**
 * A path and query, or a pattern for them, in the form in which escaped and raw characters are the same: `%40` is `@`.
 * RFC 9309 §2.2.2 tells them apart; no server does. `*` and `$` keep their escapes, which mean something in patterns.
 *
 * @param ignoreCase letters in lower case too.
 */
export function foldAddress(text: string, ignoreCase: boolean): string {
	const plain = reserved.test(text) ? decodeReserved(text) : text;
	if (!ignoreCase) return plain;
	return plain
		.replace(/(?:%[89a-f][\da-f])+/gi, (run) => {
			const decoded = decodeStrictly(run);
			return decoded === undefined ? run : encodeURIComponent(decoded.toLowerCase());
		})
		.toLowerCase();
}

/** Escapes of characters that have a meaning in a URL, but for `*`, `$`, `%`, and in paths `/`, `?`, `#`, backslash. */
const reserved = /%(?:2[1-9BCF]|3[ABDF]|40|5[BD])/i;

function decodeReserved(text: string): string {
	const question = text.indexOf('?');
	const end = question < 0 ? text.length : question;
	const decoded = (part: string, escapes: RegExp) => part.replace(escapes, decodeURIComponent);
	// In a query `&`, `=` and `+` separate values, and a slash is a character as any other.
	return (
		decoded(text.slice(0, end), /%(?:2[16789BC]|3[ABD]|40|5[BD])/gi) +
		decoded(text.slice(end), /%(?:2[1789CF]|3[ABF]|40|5[BD])/gi)
	);
}
