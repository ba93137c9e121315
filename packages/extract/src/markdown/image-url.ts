import type { Element } from '../dom/node.ts';

/** Where scripts find the picture that they load later, in the order in which we believe them. */
const lazy: readonly string[] = [
	'data-src',
	'data-original',
	'data-lazy-src',
	'data-lazy',
	'data-original-src',
	'data-actualsrc',
	'data-hi-res-src',
	'data-full-src',
	'data-large-file',
	'data-orig-file',
	'data-image-src',
	'data-image',
	'data-echo',
	'data-url',
	'data-lazyload',
	'data-ll-src',
	'data-cfsrc',
	'data-runner-src',
];
const lazySets = ['data-srcset', 'data-lazy-srcset', 'data-original-set', 'data-ll-srcset'];

/** URLs of images that a lazy loader replaces. */
const placeholder =
	/^\s*(?:data:|about:blank|#|$)|(?:^|[/_.-])(?:placeholder|blank|spacer|transparent|pixel|1x1|lazy|lazyload|loading|loader|grey|gray|empty|clear|dummy)(?:[_.-]?\w{0,12})?\.(?:gif|png|svg|jpe?g|webp)(?:[?#]|$)/i;

/** Whether an address is only the stand-in for a picture that a script would load. */
export function isPlaceholder(url: string | undefined): boolean {
	return url === undefined || placeholder.test(url);
}

/**
 * The address of the picture that a reader would see: what a script would load late, else `src`, else the largest
 * candidate of `srcset`. A good `src` is never given up for something that only looks lazy.
 */
export function imageUrl({ attributes }: Element): string | undefined {
	for (const name of lazyNames(attributes)) {
		const value = filled(attributes[name]!.trim(), attributes['data-widths']);
		if (value && looksLikeImage(value) && !isPlaceholder(value)) return value;
	}
	if (!isPlaceholder(attributes.src)) return attributes.src!.trim();
	for (const name of [...lazySets, 'srcset']) {
		const largest = largestCandidate(attributes[name]);
		if (largest !== undefined) return largest;
	}
	return undefined;
}

const ranks: ReadonlyMap<string, number> = new Map(lazy.map((name, rank) => [name, rank]));

/** Those that an image has, the one that we believe most first: few have any. */
function lazyNames(attributes: Element['attributes']): string[] {
	const names: string[] = [];
	for (const name in attributes) if (ranks.has(name)) names.push(name);
	return names.length < 2 ? names : names.sort((a, b) => ranks.get(a)! - ranks.get(b)!);
}

/** Scripts put the width of the screen into some addresses: the largest that there is, or one that fits most. */
function filled(address: string, widths = ''): string {
	if (!/\{width\}|%7Bwidth%7D/i.test(address)) return address;
	const sizes = (widths.match(/\d+/g) ?? []).map(Number);
	return address.replace(/\{width\}|%7Bwidth%7D/gi, String(sizes.length > 0 ? Math.max(...sizes.slice(0, 100)) : 1024));
}

/** `data-url` and the like may hold anything. */
function looksLikeImage(value: string): boolean {
	return !/\s/.test(value) && !value.startsWith('{') && !value.startsWith('[') && /[./]/.test(value);
}

/** The candidate of a `srcset` with the greatest width or density (HTML §4.8.4.2.2). */
export function largestCandidate(srcset: string | undefined): string | undefined {
	let best: string | undefined;
	let size = -1;
	for (const { url, descriptor } of candidates(srcset ?? '')) {
		const value = Number.parseFloat(descriptor) || 1;
		const weight = descriptor.endsWith('w') ? value : value * 1000;
		if (!isPlaceholder(url) && weight > size) {
			best = url;
			size = weight;
		}
	}
	return best;
}

/** A comma ends a candidate only at the end of an address or after a descriptor: others belong to the address. */
function* candidates(srcset: string): Generator<{ url: string; descriptor: string }> {
	const words = srcset.split(/[ \t\n\f\r]+/);
	for (let i = 0; i < words.length; i++) {
		const word = words[i]!.replace(/^,+/, '');
		if (word === '') continue;
		const url = word.replace(/,+$/, '');
		let descriptor = '';
		if (url === word) {
			while (i + 1 < words.length && !descriptor.includes(',')) descriptor += words[++i]!;
			// `1x,b.jpg`: the next address is glued to the comma.
			const glued = descriptor.indexOf(',');
			if (glued >= 0 && glued < descriptor.length - 1) words[i--] = descriptor.slice(glued + 1);
			descriptor = glued >= 0 ? descriptor.slice(0, glued) : descriptor;
		}
		yield { url, descriptor };
	}
}
