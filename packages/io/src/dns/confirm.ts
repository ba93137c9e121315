import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalAddress } from '@wayleave/protocols/jafar';
import type { Resolution, Resolver } from './resolver.ts';

/**
 * - `confirmed`: a name of the address ends in a suffix and leads back to the address
 * - `mismatch`: the address has names, and none of them is of a suffix and leads back
 * - `no-forward`: a name of a suffix exists but has no address of the family, so the claim can be neither confirmed nor
 *   refuted
 * - `no-ptr`: the address has no name
 * - `dns-failed`, `timeout`: the DNS gave no answer to a question that mattered
 */
export type ReverseOutcome = 'confirmed' | 'mismatch' | 'no-forward' | 'no-ptr' | 'dns-failed' | 'timeout';

/** Addresses that one name of an address resolves to. */
export interface ForwardLookup {
	readonly name: string;
	readonly result: 'contains-address' | 'other-address' | 'not-found' | 'no-data' | 'failed' | 'timeout';
	/** Addresses of the family, where there are any; the first few. */
	readonly addresses: readonly string[];
}

/** An answer with all that was found, for the record. */
export interface ReverseAnswer {
	readonly outcome: ReverseOutcome;
	/** The names of the address, lower-case and without the final dot; the first few. */
	readonly names: readonly string[];
	readonly forward: readonly ForwardLookup[];
	/** Details of a DNS failure. */
	readonly detail?: string;
}

export interface ConfirmOptions {
	readonly resolver: Pick<Resolver, 'resolvePtr' | 'resolve4' | 'resolve6'>;
	/** For the whole confirmation, milliseconds; each look-up has the time of the resolver. */
	readonly total: number;
}

/** Names are whatever the owner of the address wrote: so many are kept as evidence, and so many of them looked up. */
const maxNames = 16;
const maxForward = 4;

/**
 * Forward-confirmed reverse DNS: does an address belong to a domain, by the word of both its owner (PTR) and the owner
 * of the domain (A or AAAA)? Only names that end in one of the suffixes, at the boundary of a label, are looked up.
 *
 * @param suffixes `.googlebot.com`; a missing first dot is added. With a `*` it is the shape of a whole name, in which
 * the star stands for characters of one label: `rate-limited-proxy-*.google.com`.
 */
export async function confirmReverse(
	address: string,
	suffixes: readonly string[],
	{ resolver, total }: ConfirmOptions,
): Promise<ReverseAnswer> {
	const late: ReverseAnswer = { ...nothing, outcome: 'timeout', detail: `no DNS response within ${total} ms` };
	const over = new AbortController();
	try {
		return await Promise.race([confirm(address, suffixes, resolver), sleep(total, late, { signal: over.signal })]);
	} finally {
		over.abort();
	}
}

const nothing = { names: [], forward: [] };

async function confirm(
	address: string,
	suffixes: readonly string[],
	resolver: ConfirmOptions['resolver'],
): Promise<ReverseAnswer> {
	const found = await twice(() => resolver.resolvePtr(address));
	if (!found.ok) return { ...nothing, outcome: outcomeOf(found.reason), detail: found.detail };
	const names = [...new Set(found.records.map(normalName))];
	// Matching comes before counting, so that no flood of names hides the right one.
	const matching = names.filter((name) => suffixes.some((suffix) => isBelow(name, suffix)));
	const kept = { names: [...new Set([...matching.slice(0, maxForward), ...names])].slice(0, maxNames) };
	if (matching.length === 0) return { ...kept, forward: [], outcome: 'mismatch' };
	const forward = await Promise.all(matching.slice(0, maxForward).map((name) => lookForward(name, address, resolver)));
	return { ...kept, forward, outcome: judge(forward) };
}

/** Says yes on one yes; says no only where no name was left without an answer. */
function judge(forward: readonly ForwardLookup[]): ReverseOutcome {
	const has = (result: ForwardLookup['result']) => forward.some((each) => each.result === result);
	if (has('contains-address')) return 'confirmed';
	if (has('failed')) return 'dns-failed';
	if (has('timeout')) return 'timeout';
	return has('no-data') ? 'no-forward' : 'mismatch';
}

async function lookForward(
	name: string,
	address: string,
	resolver: ConfirmOptions['resolver'],
): Promise<ForwardLookup> {
	const found = await twice(() => (isIP(unmapped(address)) === 4 ? resolver.resolve4(name) : resolver.resolve6(name)));
	if (!found.ok) return { name, result: found.reason, addresses: [] };
	const wanted = canonicalAddress(unmapped(address));
	const contains = found.records.some((record) => canonicalAddress(record) === wanted);
	return { name, result: contains ? 'contains-address' : 'other-address', addresses: found.records.slice(0, 8) };
}

/** Once more where a server was in trouble, which often passes; a time-out has had its time. */
async function twice(ask: () => Promise<Resolution<string>>): Promise<Resolution<string>> {
	const first = await ask();
	return first.ok || first.reason !== 'failed' ? first : ask();
}

function outcomeOf(reason: 'not-found' | 'no-data' | 'failed' | 'timeout'): ReverseOutcome {
	if (reason === 'timeout') return 'timeout';
	return reason === 'failed' ? 'dns-failed' : 'no-ptr';
}

function normalName(name: string): string {
	return name.toLowerCase().replace(/\.$/, '');
}

/** Host names only: an escaped dot inside a label would feign a boundary. */
const hostName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

function isBelow(name: string, suffix: string): boolean {
	if (!hostName.test(name)) return false;
	return suffix.includes('*') ? hasShape(name, suffix) : name.endsWith(suffix.startsWith('.') ? suffix : `.${suffix}`);
}

/** Label by label: `*` stands for any characters inside one label. */
function hasShape(name: string, shape: string): boolean {
	const labels = name.split('.');
	const wanted = shape.toLowerCase().split('.');
	return labels.length === wanted.length && wanted.every((part, at) => matchesLabel(labels[at] ?? '', part));
}

function matchesLabel(label: string, shape: string): boolean {
	const [before = '', after] = shape.split('*');
	if (after === undefined) return label === shape;
	return label.length > before.length + after.length && label.startsWith(before) && label.endsWith(after);
}

function unmapped(address: string): string {
	const canonical = canonicalAddress(address) ?? address;
	return canonical.startsWith('::ffff:') && canonical.includes('.') ? canonical.slice(7) : canonical;
}
