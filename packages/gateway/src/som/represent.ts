import { createHash } from 'node:crypto';
import { documentBase, somToMarkdown, somToTree, toSom } from '@wayleave/extract';
import { countTokens } from '@wayleave/extract/tokens';
import { sha256 } from '@wayleave/io';
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
	const { som } = toSom(html, url, {
		scope: choice.scope,
		sha256,
		userContent,
		...(choice.tokenBudget === undefined ? {} : { tokenBudget: choice.tokenBudget, countTokens }),
	});
	const text =
		choice.format === 'markdown'
			? somToMarkdown(som, documentBase(html, url))
			: JSON.stringify(choice.format === 'accessibility-tree' ? somToTree(som) : som);
	const body = new TextEncoder().encode(text);
	const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
	return { body, etag, tokens: countTokens(text) };
}
