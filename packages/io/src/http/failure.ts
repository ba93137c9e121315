import { explainSystemError } from '../messages/system-errors.ts';
import type { ReceivedHeaders } from './headers.ts';
import type { CutExchange, FetchFailure } from './types.ts';

/** Ends one exchange; `get` turns it into an answer. */
export class FetchError extends Error {
	readonly reason: FetchFailure;
	/** Nothing of an answer had arrived: on a connection used before, the request may be sent again on a fresh one. */
	readonly unanswered: boolean;
	/** Whether the exchange went over HTTP/2. */
	overHttp2 = false;
	/** The part of the answer that did arrive. */
	head?: { readonly status: number; readonly headers: ReceivedHeaders; readonly cut?: CutExchange };

	constructor(reason: FetchFailure, detail: string, options: { unanswered?: boolean; cause?: unknown } = {}) {
		super(detail, { cause: options.cause });
		this.name = 'FetchError';
		this.reason = reason;
		this.unanswered = options.unanswered ?? false;
	}
}

/** Describes a connection error without the name of a system error. */
export function describeError(error: unknown): string {
	return explainSystemError(error, 'connect') ?? (error instanceof Error ? error.message : String(error));
}
