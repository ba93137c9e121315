import { decoded } from './address-rules.ts';
import { hashRoute } from './routes.ts';

/** A part of an address that may not matter: a parameter, or a folder whose name looks random. */
export interface UrlPart {
	/** `?ref`, `;ref`, `/shop/*`, in a route `#?ref`; equal for all addresses of a host that have the part. */
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

/** Too long for a word of a title: `s-3f2c41d09a7be5c8`. */
const isLongToken = (part: string): boolean => part.length >= 16 && token.test(part);

/** Whether a value looks generated: a session, a time, a hash. */
export const looksRandom = (value: string): boolean =>
	longNumber.test(value) ||
	(token.test(value) && (!/^[a-z]+(?:[-_][a-z\d]+)+$/i.test(value) || value.split(/[-_]/).some(isLongToken))) ||
	/^\d+\.\d{6,}$/.test(value);

/** Whether a value is itself an address: of a page to return to, or to share. */
export const isAddressValue = (value: string): boolean => /^(?:https?:\/\/|\/(?!\/))/i.test(value);

export function partsOf(href: string): UrlPart[] {
	const split = splitRoute(href);
	if (split === undefined) return pageParts(href).slice(0, maxParts);
	const { page, route, sign } = split;
	return [
		...pageParts(page).map((part) => ({ ...part, rest: part.rest + href.slice(page.length) })),
		...pageParts(route).map((part) => ({
			...part,
			name: `#${part.name}`,
			rest: page + sign + part.rest.slice(new URL(route).origin.length + 1),
		})),
	].slice(0, maxParts);
}

const pageParts = (href: string): UrlPart[] => [...folders(href), ...pathParameters(href), ...parameters(href)];

/** Parameters of path segments (RFC 3986 §3.3): `/p/1;ref=menu`. */
const pathParameter = /;([^;=/?#]+)=([^;/?#]*)/g;

function pathParameters(href: string): UrlPart[] {
	if (!href.includes(';')) return [];
	const path = href.replace(/\?.*$/s, '');
	return [...path.matchAll(pathParameter)].map(({ 0: written, 1: name = '', 2: value = '', index }) => ({
		name: `;${decoded(name)}`,
		value: decoded(value),
		rest: href.slice(0, index) + href.slice(index + written.length),
		isAddress: true,
	}));
}

/** A route as an address of its own: of `http://h/app#/a?b=c` it is `http://h/a?b=c`. */
interface SplitRoute {
	readonly page: string;
	readonly route: string;
	/** The characters before the route: `#/`, `#!` or `#!/`. */
	readonly sign: string;
}

function splitRoute(href: string): SplitRoute | undefined {
	const hash = hashRoute(href);
	if (hash === undefined) return undefined;
	const page = href.slice(0, -hash.length);
	const sign = /^#!?\/?/.exec(hash)?.[0] ?? '#';
	return { page, sign, route: `${new URL(page).origin}/${hash.slice(sign.length)}` };
}

/** The address whose path selects the content: the route, or the address itself. */
export const pathAddress = (href: string): string => splitRoute(href)?.route ?? href;

/** Applies a change to an address, and to its route if it has one. */
function changeBoth(href: string, change: (address: string) => string): string {
	const split = splitRoute(href);
	if (split === undefined) return change(href);
	const { page, route, sign } = split;
	return change(page) + sign + change(route).slice(new URL(route).origin.length + 1);
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
/** A folder whose children are filters of a list, not pages of their own. */
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
	const segments = new URL(pathAddress(href)).pathname.split('/');
	const at = segments.findIndex((segment) => listed.test(segment));
	const list = segments[at];
	if (list === undefined) return undefined;
	return {
		place: segments.slice(0, at).join('/'),
		things: list.split(/[+,|]/),
		isFilter: filterFolder.test(segments[at - 1] ?? ''),
	};
}

/** The address with the items of a folder sorted; equal for all orders of them. */
export function inOrder(href: string): string {
	return changeBoth(href, (address) => {
		const url = new URL(address);
		const sorted = url.pathname
			.split('/')
			.map((segment) => (listed.test(segment) ? segment.split(/[+,|]/).sort().join('+') : segment));
		return url.origin + sorted.join('/') + url.search;
	});
}

/** The address with its parameters sorted: no known server treats two orders as different. */
export const withSortedQuery = (href: string): string => changeBoth(href, sortQuery);

function sortQuery(href: string): string {
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
	if (isNestedPath(query < 0 ? href : href.slice(0, query))) return true;
	if (query < 0 || !/%3[df]/i.test(href.slice(query))) return false;
	return [...new URLSearchParams(href.slice(query + 1)).values()].some((value) => {
		const inner = value.indexOf('?');
		if (inner < 0 || !isAddressValue(value)) return false;
		return [...new URLSearchParams(value.slice(inner + 1)).values()].some(isAddressValue);
	});
}

/** The same in the path: `/login/next/%2Flogin%2Fnext%2F%252F`, `/out/http://h/out/http://h/`. */
function isNestedPath(href: string): boolean {
	const path = href.replace(/^https?:\/\/[^/]*/i, '');
	if (/https?:\/.*https?:\//is.test(path)) return true;
	return /%2f/i.test(path) && /%252f/i.test(path) && path.split('/').some(isDoubleAddress);
}

function isDoubleAddress(segment: string): boolean {
	const inner = decoded(segment);
	return isAddressValue(inner) && inner.split('/').some((each) => each.includes('%') && isAddressValue(decoded(each)));
}

/** Replaces a number or a generated name by one letter, and the numbers of a date or the like (`2026-w48`); words stay. */
function shapeOfSegment(segment: string): string {
	if (/^\d+$/.test(segment) || looksRandom(segment)) return '#';
	const digits = segment.replace(/\D+/g, '').length;
	const letters = segment.replace(/[^\p{L}]+/gu, '').length;
	return digits >= letters && digits > 0 ? segment.replace(/\d+/g, '#') : segment;
}

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
	const ofPath = [...pathname.matchAll(pathParameter)].map(([, name]) => `;${name}`);
	const bare = ofPath.length === 0 ? pathname : pathname.replace(pathParameter, '');
	const segments = bare.split('/').slice(1);
	const shapes = segments.map((segment) => (listed.test(segment) ? '+' : shapeOfSegment(segment)));
	const path = segments.length > deepest + 1 ? [...shapes.slice(0, deepest - 1), '…'] : shapes;
	const all = [...searchParams.keys(), ...ofPath].sort();
	const names = all.length > maxNames ? ['…'] : all;
	const isForm = names.length > 0 || path.some((shape) => shape.includes('#') || shape === '+' || shape === '…');
	return isForm ? `/${path.join('/')}${names.length > 0 ? `?${names.join('&')}` : ''}` : undefined;
}

/**
 * The form of a route, with the form of its page. Routes of words share one: an application shows something for each
 * route, so that their number is not bounded by what its author wrote.
 */
export function formOfRoute(href: string): string | undefined {
	const split = splitRoute(href);
	if (split === undefined) return undefined;
	const { pathname } = new URL(split.page);
	const page = (formOf(split.page) ?? pathname).replace(/\?.*$/s, '');
	return `${page} ${split.sign}${(formOf(split.route) ?? '').replace(/^\/+/, '')}`;
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
