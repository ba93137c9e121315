import { decoded } from './address-rules.ts';

/** A part of an address that may not matter: a parameter, or a folder whose name looks random. */
export interface UrlPart {
	/** `?ref`, `/shop/*`; equal for all addresses of a host that have the part. */
	readonly name: string;
	readonly value: string;
	/** The address without the part; a folder is replaced by `*`. */
	readonly rest: string;
	/** Whether the rest is an address that could be requested. */
	readonly isAddress: boolean;
}

/** The most parts of one address that are compared. */
const maxParts = 6;

/** ASP.NET without cookies writes sessions like this: `/(S(lit3py55t21z5v55vlm25s55))/`. */
export const pathSession = /^(?:\([A-Z]\([\w-]+\)\))+$|^\((?:[A-Z]\([\w-]+\))+\)$/i;
/** At least eight characters, digits among letters: a generated value. */
const token = /^(?=[^\d]*\d)(?=[^a-z]*[a-z])[\w-]{8,}$/i;
const longNumber = /^\d{10,}$/;

/** Whether a value looks generated: a session, a time, a hash. */
export const looksRandom = (value: string): boolean =>
	longNumber.test(value) ||
	(token.test(value) && !/^[a-z]+(?:[-_][a-z\d]+)+$/i.test(value)) ||
	/^\d+\.\d{6,}$/.test(value);

/** Whether a value is itself an address: of a page to return to, or to share. */
export const isAddressValue = (value: string): boolean => /^(?:https?:\/\/|\/(?!\/))/i.test(value);

export function partsOf(href: string): UrlPart[] {
	return [...folders(href), ...parameters(href)].slice(0, maxParts);
}

function parameters(href: string): UrlPart[] {
	const query = href.indexOf('?');
	if (query < 0) return [];
	const path = href.slice(0, query);
	const pairs = href
		.slice(query + 1)
		.split('&')
		.map((written) => {
			const [name = '', ...value] = written.split('=');
			return { written, name: decoded(name), value: decoded(value.join('=')), named: written.includes('=') };
		});
	const names = [...new Set(pairs.filter(({ named, name }) => named && name !== '').map(({ name }) => name))];
	return names.map((name) => {
		const others = pairs.filter((pair) => pair.name !== name).map(({ written }) => written);
		return {
			name: `?${name}`,
			value: pairs
				.filter((pair) => pair.name === name)
				.map(({ value }) => value)
				.join(','),
			rest: others.length === 0 ? path : `${path}?${others.join('&')}`,
			isAddress: true,
		};
	});
}

function folders(href: string): UrlPart[] {
	const { origin, pathname, search } = new URL(href);
	const segments = pathname.split('/').slice(1);
	return segments.flatMap((segment, at) => {
		if (!pathSession.test(segment) && !looksRandom(segment)) return [];
		const rest = `/${segments.map((each, index) => (index === at ? '*' : each)).join('/')}`;
		return {
			name: `/${segments
				.slice(0, at + 1)
				.fill('*', at)
				.join('/')}`,
			value: segment,
			rest: origin + rest + search,
			isAddress: false,
		};
	});
}

const listed = /^[^+,|]+(?:[+,|][^+,|]+)+$/;
const filterFolder =
	/^(?:tags?|tagged|topics?|labels?|filters?|facets?|categor(?:y|ies)|keywords?|themen?|schlagwort|with)$/i;

/** A folder that lists items: `/tag/a+b`. */
export interface ListedFolder {
	/** The path before it. */
	readonly place: string;
	readonly things: readonly string[];
	/** Whether the place is known to filter, so that the order does not matter. */
	readonly isFilter: boolean;
}

export function listedFolder(href: string): ListedFolder | undefined {
	const segments = new URL(href).pathname.split('/');
	const at = segments.findIndex((segment) => listed.test(segment));
	if (at < 0) return undefined;
	return {
		place: segments.slice(0, at).join('/'),
		things: segments[at]!.split(/[+,|]/),
		isFilter: filterFolder.test(segments[at - 1] ?? ''),
	};
}

/** The address with the items of a folder sorted; equal for all orders of them. */
export function inOrder(href: string): string {
	const url = new URL(href);
	const sorted = url.pathname
		.split('/')
		.map((segment) => (listed.test(segment) ? segment.split(/[+,|]/).sort().join('+') : segment));
	return url.origin + sorted.join('/') + url.search;
}

/** The address with its parameters sorted: no known server treats two orders as different. */
export function withSortedQuery(href: string): string {
	const query = href.indexOf('?');
	if (query < 0 || !href.includes('&', query)) return href;
	return `${href.slice(0, query)}?${href
		.slice(query + 1)
		.split('&')
		.sort()
		.join('&')}`;
}

/**
 * Whether the query contains an address that has one in its own query: `/login?next=/login?next=/`. Each page of such a
 * chain links a longer one.
 */
export function isNestedAddress(href: string): boolean {
	const query = href.indexOf('?');
	if (query < 0 || !/%3[df]/i.test(href.slice(query))) return false;
	return [...new URLSearchParams(href.slice(query + 1)).values()].some((value) => {
		const inner = value.indexOf('?');
		if (inner < 0 || !isAddressValue(value)) return false;
		return [...new URLSearchParams(value.slice(inner + 1)).values()].some(isAddressValue);
	});
}

/** Replaces a number or a generated name by one letter; words stay. */
const shapeOfSegment = (segment: string): string => (/^\d+$/.test(segment) || looksRandom(segment) ? '#' : segment);

/** Addresses with more parameters than this share a form. */
const maxNames = 2;
/** Deeper folders than this share a form. */
const deepest = 3;

/**
 * The form of an address: one program creates all pages of a form. Undefined for an address of words, which shares its
 * form with no other.
 */
export function formOf(href: string): string | undefined {
	const { pathname, searchParams } = new URL(href);
	const segments = pathname.split('/').slice(1);
	const shapes = segments.map((segment) => (listed.test(segment) ? '+' : shapeOfSegment(segment)));
	const path = segments.length > deepest + 1 ? [...shapes.slice(0, deepest - 1), '…'] : shapes;
	const all = [...searchParams.keys()].sort();
	const names = all.length > maxNames ? ['…'] : all;
	const isForm = names.length > 0 || path.some((shape) => shape === '#' || shape === '+' || shape === '…');
	return isForm ? `/${path.join('/')}${names.length > 0 ? `?${names.join('&')}` : ''}` : undefined;
}

/** The folder that relative links of an address resolve against. */
export const folderOf = (href: string): string => {
	const path = href.replace(/[?#].*$/s, '');
	return path.slice(0, path.lastIndexOf('/') + 1);
};

/** 32-bit hash of a text (FNV-1a). */
export function hashOf(text: string): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	return hash | 0;
}
