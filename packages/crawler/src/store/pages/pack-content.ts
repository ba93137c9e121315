import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { ByteBuffer } from '../../base/byte-buffer.ts';
import { documentJson } from '../../model/document-json.ts';
import type { Content, PageContent } from '../roles/pages.ts';

/** Contents that are being compressed at the same time. */
const content = new ByteBuffer();

/** A document and what travels beside it, as it is stored: the quickest compression halves the time of the write too. */
export function packContent(snapshot: NonNullable<Content['snapshot']>): Uint8Array | null {
	const { document, page, policy, representation, capture, favor, terms } = snapshot;
	if (document === undefined) return null;
	const others = JSON.stringify({ page, policy, representation, capture, favor, terms });
	content.clear();
	content.text('{"document":');
	content.bytes(documentJson(document));
	content.text(others === '{}' ? '}' : `,${others.slice(1)}`);
	return deflateRawSync(content.value, { level: constants.Z_BEST_SPEED });
}

export function unpackContent(bytes: Uint8Array): PageContent {
	return JSON.parse(inflateRawSync(bytes).toString('utf8')) as PageContent;
}
