import type { Document } from '../dom/node.ts';
import { parseHtml } from '../dom/parse.ts';
import { textContent, walk } from '../dom/walk.ts';
import { withoutNulls } from '../metadata/lenient-json.ts';
import { mark, type Selection } from './mark.ts';
import { segment } from './read/blocks.ts';
import { flagsOf } from './read/flags.ts';
import { measure } from './read/measure.ts';

/** Below this many words the visible text is hardly the content. */
const poor = 40;
/** Characters in which a text has hardly ever fewer words than that. */
const enough = 1000;
/** Strings of a page's state that are prose: labels and keys are shorter. */
const prose = 12;
const maxState = 5_000_000;
const maxDepth = 40;

/**
 * Content for a page that scripts would draw: the longest body or description that its JSON-LD declares, else the
 * prose in its embedded state. `undefined` where the visible text is not poor, or nothing better is declared.
 */
export function declaredContent(
	document: Document,
	structuredData: Record<string, unknown> | undefined,
	visible: string,
): Selection | undefined {
	// Of a long text, the beginning has enough of them.
	if (measure(visible.slice(0, enough)).words >= poor) return undefined;
	const { words } = measure(visible);
	if (words >= poor) return undefined;
	const bodies = strings(structuredData, (key) => key === 'articleBody' || key === 'text' || key === 'description');
	const best = longest(bodies) ?? '';
	const text = measure(best).words >= poor ? best : [best, ...stateProse(document)].join('\n\n');
	if (measure(text).words < Math.max(poor, 2 * words)) return undefined;
	const segments = segment(parseHtml(toHtml(text)).body);
	return mark(
		segments,
		flagsOf(segments.blocks, () => true),
	);
}

function longest(texts: Iterable<string>): string | undefined {
	let best: string | undefined;
	for (const text of texts) if (text.length > (best?.length ?? 0)) best = text;
	return best;
}

/** The strings under keys that pass, at any depth, without recursion. */
function strings(value: unknown, wanted: (key: string) => boolean): Set<string> {
	const found = new Set<string>();
	const stack: { value: unknown; key: string; depth: number }[] = [{ value, key: '', depth: 0 }];
	for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
		const { value: item, key, depth } = entry;
		if (typeof item === 'string') {
			if (wanted(key)) found.add(item);
		} else if (typeof item === 'object' && item !== null && depth < maxDepth) {
			for (const [name, member] of Object.entries(item).reverse()) {
				stack.push({ value: member, key: Array.isArray(item) ? key : name, depth: depth + 1 });
			}
		}
	}
	return found;
}

/** Sentences in the JSON that frameworks leave in the page for their scripts. */
function stateProse(document: Document): string[] {
	const found: string[] = [];
	walk(document.html, (node) => {
		if (node.kind === 'text' || node.tag !== 'script' || node.attributes.type !== 'application/json') return true;
		const source = textContent(node);
		if (source.length > maxState) return false;
		for (const text of strings(parseJson(source), () => true)) {
			const plain = text.replace(/<[^>]*>/g, ' ');
			const { words, stops } = measure(plain);
			if (words >= prose && stops > 0 && !/[{};=]|https?:/.test(plain)) found.push(text);
		}
		return false;
	});
	return found;
}

function parseJson(source: string): unknown {
	try {
		return JSON.parse(withoutNulls(source));
	} catch {
		return undefined;
	}
}

/** Declared text is HTML in some places, and plain with line breaks in others. */
const toHtml = (text: string): string =>
	/<\/?[a-z][^>]*>/i.test(text) ? text : `<p>${text.replace(/</g, '&lt;').replace(/\s*\n\s*/g, '<p>')}`;
