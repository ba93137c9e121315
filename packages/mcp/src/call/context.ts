import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Cancellations } from './cancellations.ts';
import { failedCall } from './failure.ts';
import type { Library } from './library.ts';
import type { SessionCopies } from './session-copies.ts';

/** Dependencies of the tools of one client. */
export interface ToolContext {
	readonly library: Library;
	readonly copies: SessionCopies;
	/** The client session; no other session gets its copies. */
	readonly session: string;
	readonly cancellations: Cancellations;
	/** Aborted when the connection for results has closed. */
	readonly disconnected?: AbortSignal | undefined;
}

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/**
 * A tool whose work ends when its client cancels the call, and whose failures are results: their text may quote a site,
 * so it goes inside a fence.
 */
export function reporting<Arguments>(
	{ cancellations, session, disconnected }: ToolContext,
	work: (given: Arguments, extra: Extra) => Promise<CallToolResult>,
) {
	return async (given: Arguments, extra: Extra): Promise<CallToolResult> => {
		try {
			return await cancellations.watch(session, extra.requestId, (cancelled) => {
				const ends = [extra.signal, cancelled, ...(disconnected === undefined ? [] : [disconnected])];
				return work(given, { ...extra, signal: AbortSignal.any(ends) });
			});
		} catch (error) {
			return failedCall(error);
		}
	};
}
