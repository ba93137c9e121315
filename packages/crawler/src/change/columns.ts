import type { Digest } from '@wayleave/protocols/pagedigest';
import type { ListedState, ListedUrl } from '../store/roles/changes.ts';

/** Listed URLs column by column: a hundred thousand of them go to a thread and back in a moment. */
export interface ListedColumns {
	/** One a line; no key holds a line break. */
	readonly keys: string;
	readonly states: Uint8Array;
	/** NaN where there is none. */
	readonly revs: Float64Array;
	readonly listedRevs: Float64Array;
	/** 32 bytes each; `digested` says where there is one. */
	readonly digests: Uint8Array;
	readonly digested: Uint8Array;
}

const states: readonly ListedState[] = ['listed', 'due', 'decreased', 'removed', 'undescribed'];
const digestLength = 32;

export function packListed(urls: readonly ListedUrl[]): ListedColumns {
	const columns = {
		keys: urls.map(({ key }) => key).join('\n'),
		states: new Uint8Array(urls.length),
		revs: new Float64Array(urls.length),
		listedRevs: new Float64Array(urls.length),
		digests: new Uint8Array(urls.length * digestLength),
		digested: new Uint8Array(urls.length),
	};
	for (const [at, { state, rev, listedRev, digest }] of urls.entries()) {
		columns.states[at] = states.indexOf(state);
		columns.revs[at] = rev ?? Number.NaN;
		columns.listedRevs[at] = listedRev;
		if (digest === undefined) continue;
		columns.digested[at] = 1;
		columns.digests.set(Buffer.from(digest.slice('sha256:'.length), 'hex'), at * digestLength);
	}
	return columns;
}

/** The URLs again, in pieces of `size`. */
export function* unpackListed(columns: ListedColumns, size: number): Generator<ListedUrl[]> {
	const { length } = columns.states;
	const keys = length === 0 ? [] : columns.keys.split('\n');
	for (let from = 0; from < length; from += size)
		yield keys.slice(from, from + size).map((key, index) => urlAt(columns, key, from + index));
}

function urlAt({ states: numbers, revs, listedRevs, digests, digested }: ListedColumns, key: string, at: number) {
	const bytes = digests.subarray(at * digestLength, (at + 1) * digestLength);
	const rev = revs[at] ?? Number.NaN;
	const url: ListedUrl = {
		key,
		state: states[numbers[at] ?? 0] ?? 'listed',
		listedRev: listedRevs[at] ?? 0,
		...(!Number.isNaN(rev) && { rev }),
		...(digested[at] === 1 && { digest: `sha256:${Buffer.from(bytes).toString('hex')}` as Digest }),
	};
	return url;
}
