import type { Segments } from '../../read/blocks.ts';
import type { Block } from '../../read/box.ts';
import type { Drop } from './series.ts';

const jsonText = /^(?:\{\s*"[^"]*"\s*:|\[\s*[{[])[\s\S]*[\]}]\s*$/;
const keyPattern = /^[a-z][a-z\d]*(?:_\w+)+\s*:?$/i;
const valuePattern = /^(?:https?:\/\/\S+|\S+_\S+|\S*)$/;
/** Fewer keys than this may be words that the page explains. */
const minKeys = 3;

/** JSON as text, and keys with underscores next to their values. */
export function dropData({ blocks }: Segments, drop: Drop): void {
	const keys: number[] = [];
	for (let i = 0; i < blocks.length; i++) {
		const block = blocks[i]!;
		const { text } = block;
		const isData = opensJson(text.charCodeAt(0)) && text.includes('":') && jsonText.test(text);
		if (!isData && !(text.includes('_') && keyPattern.test(text))) continue;
		if (isInCode(block)) continue;
		if (isData) drop(i, i + 1);
		else keys.push(i);
	}
	if (keys.length < minKeys) return;
	for (const key of keys) {
		const value = blocks[key + 1];
		drop(key, value !== undefined && !keyPattern.test(value.text) && valuePattern.test(value.text) ? key + 2 : key + 1);
	}
}

/** A brace or a bracket. */
const opensJson = (unit: number): boolean => unit === 123 || unit === 91;

function isInCode({ box, texts }: Block): boolean {
	if (box.element.tag === 'pre') return true;
	return texts.every(({ parent }) => parent !== null && /^(?:code|kbd|samp|tt)$/.test(parent.tag));
}
