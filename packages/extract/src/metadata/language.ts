import { detectAll } from '#detector';

/** Enough text to tell a language by. */
const sampleLength = 2000;

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

/** Language tag → canonical form. There are few tags, and creating a locale is slow. */
const canonicalTags = new Map<string, string | undefined>();
/** Longer ones, and more of them, are not remembered. */
const maxTag = 12;
const maxTags = 500;

function canonical(tag: string): string | undefined {
	let found = canonicalTags.get(tag);
	if (found === undefined && !canonicalTags.has(tag)) {
		found = localeName(tag);
		if (tag.length <= maxTag && canonicalTags.size < maxTags) canonicalTags.set(tag, found);
	}
	return found;
}

function localeName(tag: string): string | undefined {
	try {
		const { baseName } = new Intl.Locale(tag);
		return unknown.test(baseName) ? undefined : baseName;
	} catch {
		return undefined;
	}
}

/** Undetermined, no language, several: tags that say nothing. */
const unknown = /^(?:und|zxx|mul|mis|root)(?:-|$)/;

/** Lists of short names look like any language; sentences do not. */
const sentence = 80;
/** Berber, Klingon, Kirundi, Volapük, Esperanto, Latin: who writes in them says so, and product names look like them. */
const unlikely: ReadonlySet<string> = new Set(['ber', 'tlh', 'rn', 'vo', 'eo', 'la']);

function detectLanguage(text: string): string | undefined {
	const sample = sampleOf(text);
	if (sample.replace(/[^\p{L}]/gu, '').length < 20) return undefined;
	return languageTag(detectAll(sample).find(({ lang }) => !unlikely.has(lang))?.lang);
}

/** The first sentences, then the first of the rest. */
function sampleOf(text: string): string {
	const lines = text.split('\n');
	const sentences = lines.filter(({ length }) => length >= sentence).join('\n');
	const names = lines.filter(({ length }) => length < sentence).join('\n');
	return `${sentences.slice(0, sampleLength)}\n${names}`.slice(0, sampleLength).trim();
}
