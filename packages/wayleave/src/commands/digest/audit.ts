import { sha256 } from '@wayleave/io/hash';
import { type AuditVerdict, auditDigest, type ManifestEntry } from '@wayleave/protocols/pagedigest';
import { readServed } from './folder.ts';

/** `missing`: the folder serves nothing under the key. A folder does not tell what it answers to a query. */
export type FileVerdict =
	| AuditVerdict
	| { readonly verdict: 'missing' }
	| { readonly verdict: 'inconclusive'; readonly reason: 'query' };

/** Compares an entry of a manifest with the file that a folder serves for it. */
export function auditFile(folder: string, key: string, entry: ManifestEntry): FileVerdict {
	if (key.includes('?')) return { verdict: 'inconclusive', reason: 'query' };
	const body = readServed(folder, key);
	return body === undefined ? { verdict: 'missing' } : auditDigest(entry, { status: 200, body }, sha256);
}

/** A line for what needs mending; nothing for the rest. */
export function verdictLine(key: string, result: FileVerdict): string {
	if (result.verdict === 'missing') return `missing ${key}\n`;
	if (result.verdict !== 'mismatch') return '';
	return `mismatch ${key}: the manifest has ${result.expected}, the file has ${result.actual}\n`;
}
