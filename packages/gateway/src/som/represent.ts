import { createHash } from 'node:crypto';
import { documentBase, type SomDocument, somToMarkdown, somToTree, toSom } from '@wayleave/extract';
import { countTokens } from '@wayleave/extract/tokens';
import { sha256 } from '@wayleave/io/hash';
import type { Choice } from './negotiate.ts';

/** The bytes that are served, the same for everybody who may have them. */
export interface Representation {
	body: Uint8Array<ArrayBuffer>;
	/** Strong: made of the bytes. */
	etag: string;
	/** Tokens of cl100k_base. */
	tokens: number;
}

/** Compiles a page into what was asked for. */
export async function representationOf(
	html: string,
	url: string,
	choice: Choice,
	userContent: boolean,
): Promise<Representation> {
	const write = {
		'SOM/1.0': undefined,
		markdown: (som: SomDocument) => somToMarkdown(som, documentBase(html, url)),
		'accessibility-tree': (som: SomDocument) => JSON.stringify(somToTree(som)),
	}[choice.format];
	const { som } = toSom(html, url, {
		scope: choice.scope,
		sha256,
		userContent,
		...(choice.tokenBudget === undefined ? {} : { tokenBudget: choice.tokenBudget, countTokens }),
		...(write && { write }),
	});
	const text = write?.(som) ?? JSON.stringify(som);
	const body = new TextEncoder().encode(text);
	const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
	return { body, etag, tokens: countTokens(text) };
}
