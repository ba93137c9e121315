import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { extract } from './extract.ts';
import type { Extraction, ExtractOptions } from './types.ts';

/** A page written for this test, and the conditions that its result must meet. */
interface DocumentCase {
	readonly id: string;
	readonly url: string;
	readonly html: string;
	readonly options?: ExtractOptions;
	/** Passed before this kind of fault was fixed. */
	readonly guard?: boolean;
	readonly why: string;
	readonly expect: Expectation;
}

interface Expectation {
	readonly text_includes?: readonly string[];
	readonly text_excludes?: readonly string[];
	readonly markdown_includes?: readonly string[];
	readonly markdown_excludes?: readonly string[];
	/** Substrings of the whole result as JSON. */
	readonly result_includes?: readonly string[];
	readonly result_excludes?: readonly string[];
	/** Regular expressions with the flags m and u. */
	readonly markdown_matches?: readonly string[];
	readonly markdown_lacks?: readonly string[];
	/** The most and the least times that a text may occur. */
	readonly max_repeats?: Readonly<Record<string, number>>;
	readonly markdown_max_repeats?: Readonly<Record<string, number>>;
	readonly min_repeats?: Readonly<Record<string, number>>;
	readonly title?: string | null;
	/** The beginning of the date; `null` if the page has none. */
	readonly published?: string | null;
	/** In any order. */
	readonly authors?: readonly string[];
	readonly language?: string;
	readonly content_type?: string | readonly string[];
	readonly content_type_not?: string | readonly string[];
	/** The text is at least this similar to the one at that address. */
	readonly same_as?: { readonly url: string; readonly share: number };
}

const folder = new URL('testing/documents/', import.meta.url);
const kinds = readdirSync(folder).map((file) => ({
	kind: file.replace('.json', ''),
	cases: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as DocumentCase[],
}));

const count = (text: string, words: string): number => text.split(words).length - 1;
const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
	value === undefined ? [] : typeof value === 'string' ? [value] : value;

function checkTexts(result: Extraction, wanted: Expectation): void {
	const { text, markdown } = result;
	const whole = JSON.stringify(result);
	for (const part of wanted.text_includes ?? []) expect(text).toContain(part);
	for (const part of wanted.text_excludes ?? []) expect(text).not.toContain(part);
	for (const part of wanted.markdown_includes ?? []) expect(markdown).toContain(part);
	for (const part of wanted.markdown_excludes ?? []) expect(markdown).not.toContain(part);
	for (const part of wanted.result_includes ?? []) expect(whole).toContain(part);
	for (const part of wanted.result_excludes ?? []) expect(whole).not.toContain(part);
	for (const pattern of wanted.markdown_matches ?? []) expect(markdown).toMatch(new RegExp(pattern, 'mu'));
	for (const pattern of wanted.markdown_lacks ?? []) expect(markdown).not.toMatch(new RegExp(pattern, 'mu'));
}

function checkRepeats({ text, markdown }: Extraction, wanted: Expectation): void {
	for (const [words, most] of Object.entries(wanted.max_repeats ?? {}))
		expect(count(text, words), words).toBeLessThanOrEqual(most);
	for (const [words, most] of Object.entries(wanted.markdown_max_repeats ?? {}))
		expect(count(markdown, words), words).toBeLessThanOrEqual(most);
	for (const [words, least] of Object.entries(wanted.min_repeats ?? {}))
		expect(count(text, words), words).toBeGreaterThanOrEqual(least);
}

function checkFacts(result: Extraction, wanted: Expectation): void {
	const { page, contentType, language } = result;
	if (wanted.title !== undefined) expect(page.title ?? null).toBe(wanted.title);
	if (wanted.published === null) expect(page.published).toBeUndefined();
	else if (wanted.published !== undefined)
		expect(page.published?.slice(0, wanted.published.length)).toBe(wanted.published);
	if (wanted.authors !== undefined) expect((page.author ?? []).toSorted()).toEqual([...wanted.authors].sort());
	if (wanted.language !== undefined) expect(language).toBe(wanted.language);
	if (wanted.content_type !== undefined) expect(listOf(wanted.content_type)).toContain(contentType);
	if (wanted.content_type_not !== undefined) expect(listOf(wanted.content_type_not)).not.toContain(contentType);
}

describe.each(kinds)('$kind', ({ cases }) => {
	it.each(cases)('$id $why', ({ html, url, options, expect: wanted }) => {
		const result = extract(html, url, options);
		checkTexts(result, wanted);
		checkRepeats(result, wanted);
		checkFacts(result, wanted);
		if (wanted.same_as === undefined) return;
		const { url: other, share } = wanted.same_as;
		expect(result.text.length).toBeGreaterThanOrEqual(share * extract(html, other, options).text.length);
	});
});
