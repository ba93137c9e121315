import type { ReceivedHeaders } from '@wayleave/io/http';
import type { WarcProblem } from './problems.ts';

export type WarcItem = { readonly record: WarcRecord } | { readonly problem: WarcProblem };

/** A record as it was read. */
export interface WarcRecord {
	/** Where in the file it begins, or the member that it is in. */
	readonly offset: number;
	/** `WARC-Type`, in lower case. */
	readonly type: string;
	readonly fields: ReceivedHeaders;
	readonly block: Uint8Array;
}
