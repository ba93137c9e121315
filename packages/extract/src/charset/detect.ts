import { TextDecoder } from '@exodus/bytes/encoding.js';
import { commonHan, letters } from './frequencies.ts';

/** How many bytes are judged: from the first byte that is not ASCII. */
const sampleBytes = 32_768;
/** Below this mean the page is as likely noise: the caller falls back to windows-1252. */
const confident = 0.35;

/** Sets in other scripts begin with their most frequent letters. */
const frequentCount = 11;
/** Fewer characters beyond ASCII than this prove nothing. */
const minCharacters = 4;

type Scorer = (text: string) => number;

const count = (text: string, set: RegExp): number => text.match(set)?.length ?? 0;

/** Kana say Japanese; half-width katakana are what other encodings look like when read as Shift_JIS. */
const japanese: Scorer = (text) =>
	count(text, /[\u3041-\u3096\u30a1-\u30fc]/gu) +
	0.6 * common(text) +
	0.3 * count(text, cjkMarks) -
	2 * count(text, odd);
const chinese: Scorer = (text) => common(text) + 0.3 * count(text, cjkMarks) - 2 * count(text, odd);
const korean: Scorer = (text) => count(text, /[\uac00-\ud7a3]/gu) - 2 * count(text, odd);

const cjkMarks = /[\u3000-\u3011\u30fb\uff01-\uff1f\u2018-\u201d]/gu;
/** Private use, half-width katakana, box drawing: never much of a text. */
const odd = /[\ue000-\uf8ff\uff61-\uff9f\u2500-\u257f\ufffd]/gu;

function common(text: string): number {
	let found = 0;
	for (const character of text) if (commonHan.has(character)) found++;
	return found;
}

/** Letters of the languages that use the code page; capitals inside words and symbols count against it. */
function alphabet(set: string): Scorer {
	const expected = new Set(set + set.toUpperCase());
	const latin = set.normalize('NFD') < '\u0100';
	const frequent = new Set(latin ? expected : set.slice(0, frequentCount));
	return (text) => {
		let score = 0;
		for (const character of text) {
			if (character < '\x80') continue;
			if (expected.has(character)) score += frequent.has(character) ? 1 : 0.5;
			else if (/\p{L}/u.test(character)) score -= 0.2;
			else if (!typography.has(character)) score -= 0.6;
		}
		if (latin) score -= 2 * count(text, longRun);
		return score - count(text, capitalInside) - 1.5 * count(text, mixedScript);
	};
}

const typography = new Set('“”‘’„«»–—…•·№©®™°§€£\u00a0');
const capitalInside = /\p{Ll}[^\x00-\x7f\P{Lu}]/gu;
/** Latin text mixes its accents with ASCII letters. */
const longRun = /[^\x00-\x7f]{3}/gu;
const mixedScript = /[a-z](?=[\u0370-\u06ff\u0e00-\u0e7f])|[\u0370-\u06ff\u0e00-\u0e7f](?=[a-z])/giu;

const scorers: readonly [encoding: string, scorer: Scorer, multibyte: boolean][] = [
	['shift_jis', japanese, true],
	['euc-jp', japanese, true],
	['gb18030', chinese, true],
	['big5', chinese, true],
	['euc-kr', korean, true],
	...Object.entries(letters).map(([name, set]): [string, Scorer, boolean] => [name, alphabet(set), false]),
];

/**
 * The legacy encoding whose text looks most like a language, or undefined when none does. Each candidate decodes
 * the sample without errors or is out.
 */
export function detectEncoding(bytes: Uint8Array): string | undefined {
	if (/\x1b\$[@B]/.test(String.fromCharCode(...bytes.subarray(0, 8192)))) return 'iso-2022-jp';
	const sample = sampleOf(bytes);
	let best: string | undefined;
	let highest = confident;
	for (const [encoding, scorer, multibyte] of scorers) {
		const text = decodeSample(sample, encoding, multibyte);
		if (text === undefined) continue;
		const characters = count(text, /[^\x00-\x7f]/gu);
		const score = scorer(text) / Math.max(1, characters);
		if (characters >= minCharacters && score > highest) {
			best = encoding;
			highest = score;
		}
	}
	return best;
}

function sampleOf(bytes: Uint8Array): Uint8Array {
	const start = bytes.findIndex((byte) => byte >= 0x80);
	return bytes.subarray(Math.max(0, start), Math.max(0, start) + sampleBytes);
}

/** A multi-byte character may be cut at the sample's end: up to three bytes less are tried. */
function decodeSample(sample: Uint8Array, encoding: string, multibyte: boolean): string | undefined {
	const tries = multibyte && sample.length === sampleBytes ? 4 : 1;
	for (let cut = 0; cut < tries; cut++) {
		try {
			return new TextDecoder(encoding, { fatal: true }).decode(sample.subarray(0, sample.length - cut));
		} catch {
			// Not this encoding, or cut in the middle of a character.
		}
	}
	return undefined;
}
