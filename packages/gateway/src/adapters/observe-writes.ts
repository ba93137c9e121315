import type { ServerResponse } from 'node:http';
import type { DecidedRequest } from '../decide/decision.ts';
import type { ChangeObserver } from '../engine/change-observer.ts';
import { type ResponseTee, type TeedHead, teeResponse } from '../proxy/response-tee.ts';

type Method = (this: ServerResponse, ...parts: unknown[]) => unknown;

/**
 * Passes a page that a handler writes to the change observer, in the pieces in which it goes out, after compression and
 * other middleware. The copy is bounded as in the proxy.
 *
 * @param value a field of the response, by its name in lower case, when the first piece goes out and afterwards.
 */
export function observeWrites(
	changeObserver: ChangeObserver | undefined,
	decided: DecidedRequest,
	response: ServerResponse,
	value: TeedHead['value'],
): void {
	if (changeObserver === undefined) return;
	let tee: ResponseTee | undefined;
	let begun = false;
	const see = (chunk: unknown, encoding: unknown) => {
		if (!begun) tee = teeResponse(changeObserver, decided, { status: response.statusCode, value });
		begun = true;
		if (chunk instanceof Uint8Array) tee?.data(Buffer.from(chunk));
		else if (typeof chunk === 'string') tee?.data(Buffer.from(chunk, encodingOf(encoding)));
	};
	for (const name of ['write', 'end'] as const) {
		const original = response[name] as Method;
		response[name] = function (this: ServerResponse, ...parts: unknown[]) {
			see(parts[0], parts[1]);
			return original.apply(this, parts);
		} as never;
	}
	response.once('finish', () => tee?.end());
	response.once('close', () => tee?.drop());
}

function encodingOf(given: unknown): BufferEncoding {
	return typeof given === 'string' && Buffer.isEncoding(given) ? given : 'utf8';
}

/** The value of a field as one text. */
export function textOf(value: unknown): string | undefined {
	return value === undefined ? undefined : [value].flat().join(', ');
}
