import { detectAll } from 'tinyld';

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

/** Lists of short names look like any language; sentences do not. */
const SENTENCE = 80;
/** Berber, Klingon, Kirundi, Volapük, Esperanto, Latin: who writes in them says so, and product names look like them. */
const UNLIKELY: ReadonlySet<string> = new Set(['ber', 'tlh', 'rn', 'vo', 'eo', 'la']);

function detectLanguage(text: string): string | undefined {
	const sample = sampleOf(text);
	if (sample.replace(/[^\p{L}]/gu, '').length < 20) return undefined;
	return languageTag(detectAll(sample).find(({ lang }) => !UNLIKELY.has(lang))?.lang);
}

/** The first sentences, then the first of the rest. */
function sampleOf(text: string): string {
	const lines = text.split('\n');
	const sentences = lines.filter(({ length }) => length >= SENTENCE).join('\n');
	const names = lines.filter(({ length }) => length < SENTENCE).join('\n');
	return `${sentences.slice(0, SAMPLE)}\n${names}`.slice(0, SAMPLE).trim();
}
