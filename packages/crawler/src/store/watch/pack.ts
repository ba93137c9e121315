import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { DocumentDiff } from '../../diff/block-diff.ts';
import type { PageChange } from '../../model/page-change.ts';
import type { VersionText } from '../roles/watch.ts';

type Text = Pick<VersionText, 'title' | 'markdown'>;

const pack = (value: unknown): Uint8Array => deflateRawSync(JSON.stringify(value));
const unpack = <Value>(bytes: Uint8Array): Value => JSON.parse(inflateRawSync(bytes).toString('utf8')) as Value;

export const packText = ({ title, markdown }: Text): Uint8Array => pack({ title, markdown });
export const unpackText = (bytes: Uint8Array): Text => unpack(bytes);

/** A change as it is stored: its difference apart, so that it can be removed. */
export function packChange({ diff, ...change }: PageChange): { json: string; diff: Uint8Array | null } {
	return { json: JSON.stringify(change), diff: diff === undefined ? null : pack(diff) };
}

const removed = 'the site no longer allows its documents to be stored, so the difference was removed';

export function unpackChange(json: string, diff: Uint8Array | null): PageChange {
	const change = JSON.parse(json) as PageChange;
	if (diff !== null) return { ...change, diff: unpack<DocumentDiff>(diff) };
	return change.after !== undefined && change.withheld === undefined ? { ...change, withheld: removed } : change;
}
