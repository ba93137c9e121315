import { FetchError } from './failure.ts';
import { ReceivedHeaders } from './headers.ts';
import { Receiver } from './receiver.ts';
import type { FetchFailure } from './types.ts';

/**
 * Undoes the content codings of a body that lies here as a whole, such as one from an archive, with the same bounds as
 * one that arrives.
 *
 * @param codings the value of Content-Encoding
 * @param maxBytes of the decoded content
 * @returns the content, or why it cannot be had (`bad-encoding`, `truncated`, `too-large`)
 */
export async function decodeContent(
	body: Uint8Array,
	codings: string,
	maxBytes: number,
): Promise<Uint8Array | FetchFailure> {
	const receiver = new Receiver({ maxBytes, onLimit: 'fail' });
	const headers = new ReceivedHeaders([['content-encoding', codings]]);
	try {
		receiver.start({ status: 200, headers, httpVersion: '1.1', length: undefined, transferCodings: [] });
		receiver.write(body);
		receiver.end();
		return (await receiver.result).body;
	} catch (error) {
		if (error instanceof FetchError) return error.reason;
		throw error;
	}
}
