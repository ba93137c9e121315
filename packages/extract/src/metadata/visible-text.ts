import type { Element } from '../dom/node.ts';
import { walk } from '../dom/walk.ts';

/** White space collapsed and trimmed, soft hyphens gone. A copy: a piece of a page would keep the whole page in memory. */
export function spaced(text: string): string {
	return isSpaced(text)
		? copyOf(text)
		: text
				.replace(/\u00ad/g, '')
				.replace(spaces, ' ')
				.trim();
}

/** Everything to replace by one space: runs of white space, and single characters other than a space. */
const spaces = /[\s\u200b]{2,}|(?! )[\s\u200b]/g;
const space = 0x20;

/** Whether there is nothing to do, as in most texts that are short. */
function isSpaced(text: string): boolean {
	let before = space;
	for (let at = 0, { length } = text; at < length; at++) {
		const code = text.charCodeAt(at);
		if (code <= space ? code < space || before === space : code > 0x7f && mayBeSpace(code)) return false;
		before = code;
	}
	return before !== space || text === '';
}

/** Characters that are spaces or soft hyphens, and some of their neighbours. */
function mayBeSpace(code: number): boolean {
	return (
		code === 0xa0 ||
		code === 0xad ||
		code === 0x1680 ||
		(code >= 0x2000 && code <= 0x205f) ||
		code === 0x3000 ||
		code === 0xfeff
	);
}

/** The engine makes slices of longer texts only, and none of a text that it has to join first. */
function copyOf(text: string): string {
	return text.length < 13 ? text : ` ${text}`.slice(1);
}

/** Elements that part words. */
const breaks: ReadonlySet<string> = new Set('br div p li h1 h2 h3 h4 h5 h6 td'.split(' '));

/** The text that a reader sees in an element: without scripts, styles and drawings. */
export function visibleText(element: Element, limit = Number.POSITIVE_INFINITY, withoutButtons = false): string {
	// Boxes around a single text, as most links are.
	let { children } = element;
	let first = children[0];
	while (children.length === 1 && first?.kind === 'element') {
		if (isUnseen(first.tag, withoutButtons)) return '';
		children = first.children;
		first = children[0];
	}
	if (children.length < 2 && first?.kind !== 'element') return first === undefined ? '' : spaced(first.data);
	let text = '';
	walk(element, (node) => {
		if (text.length > limit) return false;
		if (node.kind === 'text') text += node.data;
		else if (isUnseen(node.tag, withoutButtons)) return false;
		else if (breaks.has(node.tag)) text += ' ';
		return true;
	});
	return spaced(text);
}

/** Elements without text of their own, and ruby readings. */
const unseen: ReadonlySet<string> = new Set('script style svg template rt rp rtc'.split(' '));

function isUnseen(tag: string, withoutButtons: boolean): boolean {
	return unseen.has(tag) || (withoutButtons && tag === 'button');
}

/** A heading without the sign that links to it. */
export function headingText(element: Element): string {
	const text = withoutLastLink(element, visibleText(element, undefined, true) || visibleText(element));
	const named = text.replace(beginsWithLink(element) ? /^[◆◇#¶§🔗]\s*/u : /^[◆◇]\s*/u, '');
	return signPattern.test(named) ? named.replace(signs, (sign) => (/^\s|[¶🔗]/u.test(sign) ? '' : sign)) : named;
}

function beginsWithLink({ children }: Element): boolean {
	const first = children.find((child) => child.kind === 'element' || child.data.trim() !== '');
	return first?.kind === 'element' && first.tag === 'a' && first.attributes.href?.startsWith('#') === true;
}

/** `Queues<a class="headerlink" href="#queues">#</a>`, but not `<a href="#c">C#</a>`. */
function withoutLastLink({ children }: Element, text: string): string {
	const last = children.findLast((child) => child.kind === 'element' || child.data.trim() !== '');
	if (children.length < 2 || last?.kind !== 'element' || last.tag !== 'a' || !last.attributes.href?.includes('#'))
		return text;
	const sign = visibleText(last, 4);
	return /^[#¶§🔗]$/u.test(sign) && text.endsWith(sign) ? text.slice(0, -sign.length).trimEnd() : text;
}

const signPattern = /[#¶§🔗]$/u;
const signs = /\s*[#¶§🔗]+$/u;
