import type { AIDocument } from '@wayleave/protocols/aidocument';
import { describe, expect, it } from 'vitest';
import { documentJson, isEmptyDocument, receiveDocument, sendDocument } from './document-json.ts';

const document: AIDocument = {
	schema: { name: 'AIDocument', version: '2.0', ref: 'aidoc:sha256:00' },
	source: { url: 'http://h.test/', freshness_policy: 'cache_first' },
	cache: { status: 'miss', origin_contacted: true, body_fetched: true },
	identity: { title: 'Übersicht' },
	content: { markdown: '# Grüße 🎈 \ud800\n' },
	structure: { links: [{ url: 'http://h.test/ü', text: '…' }] },
	signals: { has_json_ld: false, heading_hierarchy_ok: true },
} as never;

/** As it comes out of another thread. */
const passOn = (sent: AIDocument): AIDocument => {
	const message = structuredClone(sendDocument(sent));
	if (message === undefined) throw new Error('it has no text');
	return receiveDocument(message);
};

describe('a document from another thread', () => {
	it('is the same document, in the same order', () => {
		expect(passOn(document)).toEqual(document);
		expect(JSON.stringify(passOn(document))).toBe(JSON.stringify(document));
		expect({ ...passOn(document), cache: undefined }).toEqual({ ...document, cache: undefined });
		expect(structuredClone(passOn(document))).toEqual(document);
	});

	it('has the bytes of its JSON', () => {
		const json = (of: AIDocument) => Buffer.from(documentJson(of), 'latin1').toString();
		expect(json(passOn(document))).toBe(JSON.stringify(document));
		expect(json(document)).toBe(JSON.stringify(document));
	});

	it('can be changed like any other', () => {
		const received = passOn(document);
		received.content = { markdown: 'other' };
		expect(received).toEqual({ ...document, content: { markdown: 'other' } });
	});

	it('is copied as it is when it has no text, and known to have some otherwise', () => {
		const empty = { ...document, content: { markdown: ' \n' } };
		expect(sendDocument(empty)).toBeUndefined();
		expect([document, passOn(document), empty].map(isEmptyDocument)).toEqual([false, false, true]);
	});
});
