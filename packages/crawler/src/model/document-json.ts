import type { AIDocument } from '@wayleave/protocols/aidocument';

/** A document between threads: one text is copied much faster than thousands of texts and objects. */
export interface SentDocument {
	/** The JSON of the document in UTF-8, a byte a character. */
	readonly json: string;
	/** The document, all members in their order, those in `largeParts` undefined. */
	readonly rest: object;
}

/** Members that hold nearly all of a document, and that a crawl only passes on. */
const largeParts = ['content', 'structure'] as const;
type LargePart = (typeof largeParts)[number];

/** Where a document keeps the JSON that it came with. */
const sentJson = Symbol('json');
type Received = AIDocument & { readonly [sentJson]?: string };

/** The JSON of a document in UTF-8, a byte a character: the store and the files take the same bytes. */
export const documentJson = (document: AIDocument): string => (document as Received)[sentJson] ?? makeJson(document);

const makeJson = (document: AIDocument): string => Buffer.from(JSON.stringify(document)).toString('latin1');

/** Whether a document has no text. */
export const isEmptyDocument = (document: AIDocument): boolean =>
	(document as Received)[sentJson] === undefined && document.content.markdown.trim() === '';

/** Undefined for a document without text, which the crawl looks into. */
export function sendDocument(document: AIDocument): SentDocument | undefined {
	if (isEmptyDocument(document)) return undefined;
	return { json: makeJson(document), rest: { ...document, content: undefined, structure: undefined } };
}

/** The document again; its large parts are parsed when one of them is first asked for. */
export function receiveDocument({ json, rest }: SentDocument): AIDocument {
	return Object.defineProperties(rest, { ...laterParts, [sentJson]: { value: json } }) as AIDocument;
}

// One pair of functions for all documents: V8 then gives all of them the same shape.
const laterParts = Object.fromEntries(largeParts.map((name) => [name, laterPart(name)]));

function laterPart(name: LargePart): PropertyDescriptor & ThisType<AIDocument> {
	return {
		enumerable: true,
		configurable: true,
		get() {
			parse(this);
			return this[name];
		},
		set(value: never) {
			parse(this);
			this[name] = value;
		},
	};
}

function parse(document: AIDocument): void {
	const parsed = JSON.parse(Buffer.from(documentJson(document), 'latin1').toString()) as AIDocument;
	for (const name of largeParts)
		Object.defineProperty(document, name, {
			value: parsed[name],
			enumerable: true,
			configurable: true,
			writable: true,
		});
}
