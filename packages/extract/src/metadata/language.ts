import { detect } from 'tinyld';

/** Enough text to tell a language by. */
const SAMPLE = 2000;

/**
 * The language of a page as a BCP 47 tag: what it declares, else what its header says, else what its text looks
 * like. A declaration that is no well-formed tag counts as none (AWI-29).
 */
export function languageOf(declared: readonly (string | undefined)[], text: () => string): string | undefined {
	for (const value of declared) {
		const tag = languageTag(value);
		if (tag !== undefined) return tag;
	}
	return detectLanguage(text());
}

/** `en_us` becomes `en-US`; of several tags, as Content-Language may hold, there is no single one. */
export function languageTag(value: string | undefined): string | undefined {
	const tags = (value ?? '')
		.split(',')
		.map((part) => part.trim())
		.filter((part) => part !== '');
	const tag = tags.length === 1 ? tags[0]!.replace(/[_\s]+/g, '-').replace(/\..*$/, '') : '';
	return tag === '' || !/^[a-z]{2,3}(?:-|$)|^zh-/i.test(tag) ? undefined : canonical(tag);
}

/** What tags are in their canonical form. There are few, and a locale is costly. */
const canonicalTags = new Map<string, string | undefined>();
/** Longer ones, and more of them, are not remembered. */
const MAX_TAG = 12;
const MAX_TAGS = 500;

function canonical(tag: string): string | undefined {
	let found = canonicalTags.get(tag);
	if (found === undefined && !canonicalTags.has(tag)) {
		found = localeName(tag);
		if (tag.length <= MAX_TAG && canonicalTags.size < MAX_TAGS) canonicalTags.set(tag, found);
	}
	return found;
}

function localeName(tag: string): string | undefined {
	try {
		const { baseName } = new Intl.Locale(tag);
		return UNKNOWN.test(baseName) ? undefined : baseName;
	} catch {
		return undefined;
	}
}

/** Undetermined, no language, several: tags that say nothing. */
const UNKNOWN = /^(?:und|zxx|mul|mis|root)(?:-|$)/;

function detectLanguage(text: string): string | undefined {
	const sample = text.slice(0, SAMPLE).trim();
	if (sample.replace(/[^\p{L}]/gu, '').length < 20) return undefined;
	return languageTag(detect(sample));
}
