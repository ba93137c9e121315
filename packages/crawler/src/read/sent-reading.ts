import type { AIDocument } from '@wayleave/protocols/aidocument';
import { receiveDocument, type SentDocument, sendDocument } from '../model/document-json.ts';
import type { PageReading } from './read-page.ts';

/** A reading between threads. */
export interface SentReading extends Omit<PageReading, 'document'> {
	readonly document: AIDocument | SentDocument;
}

export function sendReading(reading: PageReading): SentReading {
	return { ...reading, document: sendDocument(reading.document) ?? reading.document };
}

export function receiveReading(sent: SentReading): PageReading {
	const { document } = sent;
	return { ...sent, document: 'json' in document ? receiveDocument(document) : document };
}
