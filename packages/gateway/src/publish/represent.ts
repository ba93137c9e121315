import { decodeHtml, documentBase, extract, somToMarkdown, toSom } from '@wayleave/extract';
import { countTokens } from '@wayleave/extract/tokens';
import { sha256 } from '@wayleave/io/hash';
import type { Config } from '../config/schema.ts';
import { fingerprintOf } from '../pagedigest/fingerprint.ts';
import type { PageTokens } from '../terms/som-terms.ts';

/** All that publishing wants to know of a page. */
export interface Represented {
	readonly fingerprint: string;
	readonly title: string;
	readonly description: string | undefined;
	/** The page itself asks not to be indexed: it is neither listed nor represented. */
	readonly isUnlisted: boolean;
	readonly som: string | undefined;
	readonly markdown: string | undefined;
	/** Undefined without a SOM file. */
	readonly tokens: PageTokens | undefined;
}

export interface RepresentOptions {
	/** Undefined: no SOM file. */
	readonly som: Config['som'];
	readonly markdown: boolean;
}

/** Reads a page once for everything that is made of it. `bytes` are without tags of ours. */
export function representPage(bytes: Buffer, url: string, options: RepresentOptions): Represented {
	const { text: html } = decodeHtml(bytes);
	const extraction = extract(html, url);
	const { som, markdown } = options;
	const compiled = som && compile(html, url, som, bytes.length);
	const withUserContent = som?.userContent === true || !mayHoldComments.test(html);
	return {
		fingerprint: fingerprintOf(extraction, html),
		title: extraction.page.title ?? extraction.title ?? '',
		description: extraction.description,
		isUnlisted: (extraction.page.robots ?? []).some(
			({ name, content }) => name === 'robots' && /\b(?:noindex|none)\b/i.test(content),
		),
		som: compiled,
		tokens: compiled === undefined ? undefined : { html: countTokens(html), som: countTokens(compiled) },
		markdown: markdown ? (withUserContent ? extraction.markdown : withoutComments(html, url)) : undefined,
	};
}

function compile(html: string, url: string, settings: NonNullable<Config['som']>, htmlBytes: number): string {
	const { scope, tokenBudget, userContent } = settings;
	const { som } = toSom(html, url, {
		scope,
		sha256,
		userContent,
		htmlBytes,
		...(tokenBudget !== undefined && { tokenBudget, countTokens }),
	});
	return JSON.stringify(som);
}

/** Anything by which comments are recognised contains one of these words. */
const mayHoldComments = /comment|disqus|responses|replies|review|guestbook|discussion|schema\.org\/answer/i;

/** Removes text by readers of a page (SOM-33): the compiler knows the elements. */
function withoutComments(html: string, url: string): string {
	const { som } = toSom(html, url, { scope: 'main-content', sha256, userContent: false, budget: 'none' });
	return somToMarkdown(som, documentBase(html, url));
}
