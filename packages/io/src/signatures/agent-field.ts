import { type Item, parseDictionary, parseItem } from '@wayleave/protocols/headers';
import { parseUrl } from '@wayleave/protocols/url';
import { keyDirectoryPath } from './keys.ts';

/** A Signature-Agent header (Web Bot Auth): who signs, by the label or key under which it says so. */
export type SignatureAgents =
	/** `sig1="https://agent.example"`, the form of the draft. */
	| { readonly form: 'dictionary'; readonly agents: ReadonlyMap<string, NamedAgent> }
	/** `"https://agent.example"`, the form of its first versions, which is still sent (PB-105). */
	| { readonly form: 'string'; readonly agent: NamedAgent };

/** One member: an address, and its text if it is not an origin with a key directory. */
export interface NamedAgent {
	readonly address: string;
	/** The parameter `type` of draft-ietf-webbotauth-httpsig-protocol: `jwks_uri`, `cimd`. */
	readonly type?: string;
}

/** Reads a Signature-Agent header; undefined where it is neither form. */
export function parseSignatureAgent(value: string): SignatureAgents | undefined {
	const item = parseItem(value);
	if (item?.type === 'string') return { form: 'string', agent: { address: item.value, ...typeOf(item) } };
	const dictionary = parseDictionary(value);
	if (dictionary === undefined) return undefined;
	const strings = [...dictionary].flatMap(([key, member]) =>
		member.type === 'string' ? [[key, { address: member.value, ...typeOf(member) }] as const] : [],
	);
	return strings.length === 0 ? undefined : { form: 'dictionary', agents: new Map(strings) };
}

/** A type that is not a word is a type all the same, and not a supported one. */
function typeOf({ params }: Pick<Item, 'params'>): { type?: string } {
	const type = params.get('type');
	return type === undefined ? {} : { type: String(type.value) };
}

/**
 * The origin whose key directory a Signature-Agent names, or undefined where it names none that can be asked:
 * https only, and nothing but an origin or the address of its directory. Inline keys (`data:`) say who holds a key,
 * not who that is.
 */
export function directoryOrigin(agent: string): string | undefined {
	const parsed = parseUrl(agent);
	if (parsed === undefined) return undefined;
	const { protocol, origin, pathname, search, username, password } = parsed;
	if (protocol !== 'https:' || username !== '' || password !== '') return undefined;
	return search === '' && (pathname === '/' || pathname === keyDirectoryPath) ? origin : undefined;
}
