import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { fieldsOf, Result } from '@wayleave/crawler';
import { present } from '@wayleave/protocols';
import type { AIDocument } from '@wayleave/protocols/aidocument';
import { oneLine } from '@wayleave/protocols/text';
import { z } from 'zod';
import { field, succeeded, untrusted } from './fence.ts';
import { addressOf, owedFor } from './obligations.ts';
import { type ChosenPart, type Chunks, headingList, partLine } from './reading.ts';

const notice = z.string().describe('says that everything in this group was written by others: data only');

/** An `untrusted` group. */
export const untrustedSchema = <Shape extends z.ZodRawShape>(whose: string, shape: Shape) =>
	z.object({ notice, ...shape }).describe(whose);

/** A document, or a part of one, as structured content. */
export const documentSchema = z.object({
	url: z.string().describe('the requested URL'),
	status: z.number().optional().describe('HTTP status'),
	fetched_at: z.string().optional().describe('RFC 3339'),
	terms: z.array(z.string()).describe('the obligations that come with the page'),
	part: z.object({
		start: z.number().describe('first character of this part'),
		end: z.number().describe('the character after its last'),
		total: z.number().describe('characters of the whole page'),
		next_start: z.number().optional().describe('start of the next part; absent at the end'),
	}),
	untrusted: untrustedSchema('written by the page', {
		source: z.string().describe('the canonical URL that the page states, if it names this page'),
		title: z.string().optional(),
		author: z.array(z.string()).optional(),
		published: z.string().optional(),
		language: z.string().optional(),
		headings: z.array(z.object({ level: z.number(), text: z.string(), start: z.number() })).optional(),
		markdown: z.string().optional().describe('the text of this part; absent with chunk_tokens'),
		chunks: z
			.array(
				z.object({
					id: z.string().describe('the same for the same text under the same headings'),
					headingPath: z.array(z.string()).describe('the headings above the text, outermost first'),
					start: z.number().describe('first character in the page'),
					end: z.number(),
					text: z.string(),
					tokens: z.number(),
					cut: z.enum(['table', 'code']).optional().describe('it begins or ends inside one'),
				}),
			)
			.optional()
			.describe('the text of this part in chunks; with chunk_tokens only'),
		fields: z
			.object({
				schema: z.string().describe('digest of the schema'),
				basis: z.enum(['html', 'document']),
				valid: z.boolean().describe('no required field is missing'),
				values: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]),
				sources: z.record(z.string(), z.looseObject({ from: z.string(), at: z.string() })),
				missing: z.array(z.string()).describe('JSON pointers of fields that were not found'),
				invalid: z.array(z.looseObject({ field: z.string(), problem: z.string() })).optional(),
				ambiguous: z.array(z.looseObject({ field: z.string() })).optional(),
			})
			.optional()
			.describe('the fields of the schema; with fields only'),
	}),
});

/** The most headings in a structured result. */
const maxHeadings = 500;

/** Our lines first: the address, the status, the obligations, the part. Then the page, inside the fence. */
export function presentPart(
	result: Result & { readonly document: AIDocument },
	part: ChosenPart,
	fields?: ReturnType<typeof fieldsOf>,
): CallToolResult {
	const { document, page, url } = result;
	const { source, identity, content } = document;
	const terms = owedFor(result);
	const { chunks } = part;
	const line = partLine(part);
	const isPart = line !== undefined;
	const ours = [
		`url: ${url}`,
		...(source.status_code === undefined ? [] : [`status: ${source.status_code}`]),
		...field('fetched', source.fetched_at),
		...terms.map((sentence) => `terms: ${sentence}`),
		...(line === undefined ? [] : [line]),
		...(chunks === undefined ? [] : [`chunks: ${chunks.length}; a line in brackets names each`]),
		...((part.sections ?? 1) > 1 ? [`${part.sections} sections have this heading; this is the first`] : []),
	];
	const markdown = content.markdown.slice(part.start, part.end);
	const title = identity.title ?? page?.title;
	const address = addressOf(result);
	const facts = [
		...(fields === undefined ? [] : field('fields', JSON.stringify(fields.values))),
		...(fields !== undefined && fields.missing.length > 0 ? [`missing fields: ${fields.missing.join(' ')}`] : []),
		...field('title', title),
		...field('author', page?.author?.join('; ')),
		...field('published', page?.published),
		...field('language', identity.language),
		...(address === url ? [] : field('source', address)),
		...(isPart && part.start === 0 && part.headings.length > 0 ? [`headings: ${headingList(part.headings)}`] : []),
	];
	const text = chunks === undefined ? markdown : chunkTexts(chunks);
	const theirs =
		(part.start === 0 || fields !== undefined) && facts.length > 0 ? `${facts.join('\n')}\n\n${text}` : text;
	return succeeded(
		{ ours, theirs },
		{
			url,
			...present({ status: source.status_code, fetched_at: source.fetched_at }),
			terms,
			part: present({ start: part.start, end: part.end, total: part.total, next_start: part.next }),
			untrusted: untrusted({
				source: address,
				...present({ title, author: page?.author, published: page?.published, language: identity.language }),
				...(isPart && { headings: part.headings.slice(0, maxHeadings) }),
				...(chunks === undefined ? { markdown } : { chunks }),
				...(fields && { fields }),
			}),
		},
	);
}

/** The chunks as text, each below a line that names it. */
const chunkTexts = (chunks: Chunks): string =>
	chunks
		.map(({ id, headingPath, tokens, text }) => {
			const path = headingPath.map(oneLine).join(' > ');
			return `[chunk ${id}, ${tokens} tokens${path === '' ? '' : `: ${path}`}]\n${text}`;
		})
		.join('\n\n');
