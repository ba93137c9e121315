import type { Sink } from './types.ts';

export interface LineOptions {
	/** Whether URLs without a document are written too. Default false. */
	readonly outcomes?: boolean;
}

/** One JSON object per line (`INTERFACES`): `{ url, outcome, document?, policy?, page? }`. */
export declare function jsonlSink(file: string, options?: LineOptions): Sink;
