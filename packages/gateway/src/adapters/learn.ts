import type { ServerResponse } from 'node:http';
import { type PageTap, type TappedHead, tapPage } from '../proxy/tap.ts';
import type { PageLearner } from '../serve/gateway.ts';
import type { Judged } from '../serve/ruling.ts';

type Method = (this: ServerResponse, ...parts: unknown[]) => unknown;

/**
 * Lets the learner see a page that a handler writes, in the pieces in which it goes out: after whatever else packs it on
 * the way. What is kept of it is bounded as in the proxy.
 *
 * @param value a field of the response, by its name in lower case, when the first piece goes out and afterwards.
 */
export function learnFromWrites(
	learner: PageLearner | undefined,
	judged: Judged,
	response: ServerResponse,
	value: TappedHead['value'],
): void {
	if (learner === undefined) return;
	let tap: PageTap | undefined;
	let begun = false;
	const see = (chunk: unknown, encoding: unknown) => {
		if (!begun) tap = tapPage(learner, judged, { status: response.statusCode, value });
		begun = true;
		if (chunk instanceof Uint8Array) tap?.data(Buffer.from(chunk));
		else if (typeof chunk === 'string') tap?.data(Buffer.from(chunk, encodingOf(encoding)));
	};
	for (const name of ['write', 'end'] as const) {
		const original = response[name] as Method;
		response[name] = function (this: ServerResponse, ...parts: unknown[]) {
			see(parts[0], parts[1]);
			return original.apply(this, parts);
		} as never;
	}
	response.once('finish', () => tap?.end());
	response.once('close', () => tap?.drop());
}

function encodingOf(given: unknown): BufferEncoding {
	return typeof given === 'string' && Buffer.isEncoding(given) ? given : 'utf8';
}

/** The value of a field as one text. */
export function textOf(value: unknown): string | undefined {
	return value === undefined ? undefined : [value].flat().join(', ');
}
