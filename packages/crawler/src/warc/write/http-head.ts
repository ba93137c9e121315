import type { Exchange } from '../../model/exchange.ts';

const prefix = 'X-Crawler-';

/**
 * The head of a response as it goes into the archive. Where the body is kept otherwise than it was framed on the wire,
 * the fields that speak of the framing are kept under another name, and the length is that of the body beside it: a
 * reader that believed the old ones would look for chunks that are not there, or for more bytes than there are.
 */
export function archivedHead({ raw, status }: Pick<Exchange, 'raw' | 'status'>): Uint8Array {
	const lines = Buffer.from(raw.head)
		.toString('latin1')
		.split(/(?<=\n)/);
	const bodyless = status === 204 || status === 304;
	const chunked = lines.some((line) => /^transfer-encoding[ \t]*:/i.test(line));
	const length = String(raw.body.length);
	let rename = false;
	const kept = lines.map((line) => {
		// A folded line goes with the one before it.
		if (/^[ \t]/.test(line)) return line;
		const [, name = '', value = ''] = /^([^:\s]+)[ \t]*:[ \t]*(.*?)[ \t]*\r?\n?$/.exec(line) ?? [];
		switch (name.toLowerCase()) {
			case 'transfer-encoding':
				rename = true;
				break;
			case 'content-encoding':
				rename = !raw.coded && raw.body.length > 0;
				break;
			case 'content-length':
				rename = !bodyless && (chunked || value !== length);
				break;
			default:
				rename = false;
		}
		return rename ? prefix + line : line;
	});
	const added = !bodyless && kept.some((line) => line.startsWith(prefix)) && !kept.some(isLength);
	if (added) kept.splice(-1, 0, `Content-Length: ${length}\r\n`);
	return Buffer.from(kept.join(''), 'latin1');
}

const isLength = (line: string): boolean => /^content-length[ \t]*:/i.test(line);
