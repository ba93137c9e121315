import type { Deadline } from './deadline.ts';
import type { Receiver } from './receiver.ts';

/** One request as it goes out: the same for every version of HTTP. */
export interface OutgoingRequest {
	readonly target: URL;
	readonly method: 'GET' | 'HEAD' | 'POST';
	/** Lower-case names; Latin-1 values. `host` and the framing headers are added by the connection. */
	readonly headers: ReadonlyMap<string, string>;
	/** Fields for one's own site: sent like `headers`, and never part of what is reported of the request. */
	readonly secrets: ReadonlyMap<string, string>;
	readonly body: Uint8Array | undefined;
}

/** Path and query exactly as in the URL, an empty query included. */
export function requestTarget(target: URL): string {
	return target.href.slice(target.origin.length);
}

/** The clocks and bounds that a connection keeps while a response arrives. */
export interface ExchangeLimits {
	readonly headers: number;
	readonly bodyIdle: number;
	readonly slowBody: number;
	readonly headerBytes: number;
}

/** A connection to one origin. It is used for one exchange at a time, unless it is shared. */
export interface Connection {
	readonly address: string;
	/** Whether several exchanges may run on it at once (HTTP/2). */
	readonly shared: boolean;
	/** Whether another exchange may begin on it. */
	readonly open: boolean;
	/** How long it may stay idle, as far as the server has said; milliseconds. */
	readonly idleLimit: number;
	/**
	 * Sends the request and hands the answer to the receiver. Settles when the message is complete on the wire or
	 * cannot become so; an exchange whose deadline ends is broken off.
	 */
	exchange(request: OutgoingRequest, receiver: Receiver, deadline: Deadline, limits: ExchangeLimits): Promise<void>;
	/** Called when the connection can no longer be used. */
	onClose: () => void;
	/** Whether the process stays alive for it. */
	hold(held: boolean): void;
	destroy(): void;
}
