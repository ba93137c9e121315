import type { Block, Segments } from '../blocks.ts';
import type { Drop } from './series.ts';

const JSON_TEXT = /^\s*(?:\{\s*"[^"]*"\s*:|\[\s*[{[])[\s\S]*[\]}]\s*$/;
const KEY = /^[a-z][a-z\d]*(?:_\w+)+\s*:?$/i;
const VALUE = /^(?:https?:\/\/\S+|\S+_\S+|\S*)$/;
/** Fewer keys than this may be words that the page explains. */
const FEWEST_KEYS = 3;

/** JSON as text, and keys with underscores next to their values. */
export function dropData({ blocks }: Segments, drop: Drop): void {
	const keys: number[] = [];
	for (const [i, block] of blocks.entries()) {
		const { text } = block;
		const isData = text.includes('":') && JSON_TEXT.test(text);
		if (!isData && !(text.includes('_') && KEY.test(text))) continue;
		if (isInCode(block)) continue;
		if (isData) drop(i, i + 1);
		else keys.push(i);
	}
	if (keys.length < FEWEST_KEYS) return;
	for (const key of keys) {
		const value = blocks[key + 1];
		drop(key, value !== undefined && !KEY.test(value.text) && VALUE.test(value.text) ? key + 2 : key + 1);
	}
}

function isInCode({ box, texts }: Block): boolean {
	if (box.element.tag === 'pre') return true;
	return texts.every(({ parent }) => parent !== null && /^(?:code|kbd|samp|tt)$/.test(parent.tag));
}
