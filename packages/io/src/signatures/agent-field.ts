import { type Item, parseDictionary, parseItem } from '@wayleave/protocols/headers';
import { parseUrl } from '@wayleave/protocols/url';
import { keyDirectoryPath } from './keys.ts';

/** A Signature-Agent header (Web Bot Auth): who signs, by the label or key under which it says so. */
export type SignatureAgents =
	/** `sig1="https://agent.example"`, the form of the draft. */
	| { readonly form: 'dictionary'; readonly agents: ReadonlyMap<string, NamedAgent> }
	/** `"https://agent.example"`, the form of its first versions, which is still sent. */
	| { readonly form: 'string'; readonly agent: NamedAgent };

/** One member: an address, and the parameter for which it is not read. */
export interface NamedAgent {
	readonly address: string;
	/** A parameter of the member, which voids it: draft-ietf-webbotauth-httpsig-protocol-01 §5.2.1. */
	readonly parameter?: string;
}

/** Reads a Signature-Agent header; undefined where it is neither form. */
export function parseSignatureAgent(value: string): SignatureAgents | undefined {
	const item = parseItem(value);
	if (item?.type === 'string') return { form: 'string', agent: { address: item.value, ...parameterOf(item) } };
	const dictionary = parseDictionary(value);
	if (dictionary === undefined) return undefined;
	const strings = [...dictionary].flatMap(([key, member]) =>
		member.type === 'string' ? [[key, { address: member.value, ...parameterOf(member) }] as const] : [],
	);
	return strings.length === 0 ? undefined : { form: 'dictionary', agents: new Map(strings) };
}

/** `type=directory`, which version 00 defined, says what is the case without it. */
function parameterOf({ params }: Pick<Item, 'params'>): { parameter?: string } {
	for (const [name, { value }] of params) {
		const parameter = value === true ? name : `${name}=${value}`;
		if (parameter !== 'type=directory') return { parameter };
	}
	return {};
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
