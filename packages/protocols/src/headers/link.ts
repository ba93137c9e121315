/** One link of a `Link` header (RFC 8288 §3). */
export interface HeaderLink {
	/** The target as written: it may be relative. */
	readonly target: string;
	/** Relation types, lower-cased; empty when the link names none. */
	readonly rel: readonly string[];
	/** The other parameters by lower-case name, the first of each; `title*` is decoded and stands under `title`. */
	readonly params: ReadonlyMap<string, string>;
}

/**
 * Reads a `Link` header by the algorithm of RFC 8288 appendix B.2: what stands before a fault is kept,
 * the rest is not guessed at.
 *
 * `<a>; rel="next prev", <b>; rel=up; title*=UTF-8''caf%C3%A9` gives two links.
 */
export function parseLinkHeader(text: string): HeaderLink[] {
	const links: HeaderLink[] = [];
	let at = skip(text, 0, separators);
	while (text[at] === '<') {
		const end = text.indexOf('>', at);
		if (end < 0) break;
		const target = text.slice(at + 1, end).trim();
		const parameters = readParameters(text, end + 1);
		links.push({ target, ...gather(parameters.found) });
		at = skip(text, parameters.at, separators);
	}
	return links;
}

/** Writes links as one header value; a value beyond ASCII becomes an ext-value (RFC 8187). */
export function formatLinkHeader(links: readonly HeaderLink[]): string {
	return links
		.map(({ target, rel, params }) => {
			const all: [string, string][] = [
				...(rel.length > 0 ? [['rel', rel.join(' ')] as [string, string]] : []),
				...params,
			];
			return `<${target.replace(/[<>\s]/g, encodeURIComponent)}>${all.map(formatParameter).join('')}`;
		})
		.join(', ');
}

const separators = /[ \t,]*/y;
const whitespace = /[ \t]*/y;
const name = /[^ \t=;,]*/y;
const plainValue = /[^;,]*/y;
const quotedValue = /"([^"\\]*(?:\\.[^"\\]*)*)"?/sy;

type RawParameter = readonly [name: string, value: string];

/** Reads `; name=value` as often as it stands there (appendix B.3). */
function readParameters(text: string, from: number): { found: RawParameter[]; at: number } {
	const found: RawParameter[] = [];
	let at = skip(text, from, whitespace);
	while (text[at] === ';') {
		at = skip(text, at + 1, whitespace);
		const key = take(text, at, name)[0].toLowerCase();
		at = skip(text, at + key.length, whitespace);
		let value = '';
		if (text[at] === '=') {
			at = skip(text, at + 1, whitespace);
			const quoted = text[at] === '"';
			const match = take(text, at, quoted ? quotedValue : plainValue);
			value = quoted ? (match[1] ?? '').replace(/\\(.)/gs, '$1') : match[0].trimEnd();
			at += match[0].length;
		}
		if (key !== '') found.push([key, value]);
		at = skip(text, at, whitespace);
	}
	return { found, at };
}

/** Keeps the first of each name; a readable `name*` takes the place of `name` (RFC 8288 §3.4.2). */
function gather(found: readonly RawParameter[]): { rel: string[]; params: Map<string, string> } {
	const params = new Map<string, string>();
	const extended = new Map<string, string>();
	for (const [key, value] of found) {
		if (key.endsWith('*')) {
			const decoded = decodeExtended(value);
			if (decoded !== undefined && !extended.has(key)) extended.set(key.slice(0, -1), decoded);
		} else if (!params.has(key)) params.set(key, value);
	}
	for (const [key, value] of extended) params.set(key, value);
	const rel = (params.get('rel') ?? '').toLowerCase().split(/[ \t]+/);
	params.delete('rel');
	return { rel: rel.filter((type) => type !== ''), params };
}

/** `charset'language'percent-encoded` (RFC 8187 §3.2); undefined when it cannot be read. */
function decodeExtended(value: string): string | undefined {
	const [, charset, encoded] = /^([^']*)'[^']*'(.*)$/s.exec(value) ?? [];
	if (encoded === undefined) return undefined;
	const octets: number[] = [];
	for (let at = 0; at < encoded.length; at++) {
		const hex = encoded[at] === '%' ? encoded.slice(at + 1, at + 3) : undefined;
		if (hex !== undefined && !/^[0-9a-f]{2}$/i.test(hex)) return undefined;
		octets.push(hex === undefined ? encoded.charCodeAt(at) & 0xff : Number.parseInt(hex, 16));
		if (hex !== undefined) at += 2;
	}
	try {
		return new TextDecoder(charset, { fatal: true }).decode(Uint8Array.from(octets));
	} catch {
		return undefined;
	}
}

function formatParameter([key, value]: RawParameter): string {
	if (/^[\t -~]*$/.test(value)) return `; ${key}="${value.replace(/["\\]/g, '\\$&')}"`;
	const encoded = encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
		/['()*]/g,
		(char) => `%${char.charCodeAt(0).toString(16)}`,
	);
	return `; ${key}*=UTF-8''${encoded}`;
}

function take(text: string, at: number, sticky: RegExp): RegExpExecArray {
	sticky.lastIndex = at;
	const found = sticky.exec(text);
	if (found === null) throw new Error(`${sticky.source} has to match nothing too`);
	return found;
}

function skip(text: string, at: number, sticky: RegExp): number {
	return at + take(text, at, sticky)[0].length;
}
