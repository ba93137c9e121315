import type { Element } from '../dom/node.ts';
import type { Facts } from './facts.ts';
import type { RegionRole } from './types.ts';

const aria: Readonly<Record<string, RegionRole>> = {
	navigation: 'navigation',
	main: 'main',
	complementary: 'aside',
	banner: 'header',
	contentinfo: 'footer',
	dialog: 'dialog',
	alertdialog: 'dialog',
	search: 'navigation',
	form: 'form',
};
const tags: Readonly<Record<string, RegionRole>> = {
	nav: 'navigation',
	main: 'main',
	aside: 'aside',
	header: 'header',
	footer: 'footer',
	dialog: 'dialog',
	form: 'form',
};
const byClass: ReadonlySet<string> = new Set(['div', 'section', 'article', 'ul', 'ol']);
const dense: ReadonlySet<string> = new Set(['div', 'ul', 'ol']);
/** More text than this is no small print, whatever words occur in it. */
const smallPrint = 1_500;

/** The region that an element opens, by the precedence of SOM-SPEC §3.3. `inMain`: it stands in the main content. */
export function regionRoleOf(element: Element, facts: Facts, inMain: boolean): RegionRole | undefined {
	return (
		byAria(element) ??
		tags[element.tag] ??
		(byClass.has(element.tag) ? byName(element) : undefined) ??
		(dense.has(element.tag) && isLinkDense(element, facts) ? 'navigation' : undefined) ??
		(isSmallPrint(element, facts, inMain) ? 'footer' : undefined)
	);
}

function byAria(element: Element): RegionRole | undefined {
	const { role } = element.attributes;
	if (role === undefined) return undefined;
	for (const token of role.toLowerCase().split(/\s+/)) {
		if (Object.hasOwn(aria, token)) return aria[token];
	}
	return undefined;
}

/** Class and id by their words: `domain` is not `main`, `trail` is not `rail`, `navbar` is navigation. */
function byName(element: Element): RegionRole | undefined {
	const { class: className, id } = element.attributes;
	if (className === undefined && id === undefined) return undefined;
	const name = `${className ?? ''} ${id ?? ''}`
		.slice(0, 500)
		.replace(/([a-z])([A-Z])/g, '$1-$2')
		.toLowerCase();
	if (navigation.test(name)) return 'navigation';
	if (main.test(name)) return 'main';
	if (aside.test(name)) return 'aside';
	if (footer.test(name)) return 'footer';
	return header.test(name) ? 'header' : undefined;
}

/** Class names of navigation, but not `native` or `alternative`. */
const navigation = /(?<![a-z])(?:nav|menu)(?!tive|tion-)[a-z]*|(?<![a-z])navigation/;
/** Class names of the main content. */
const main = /(?<![a-z])(?:main-?content|primary-content|article-body|main)(?![a-z])/;
const aside = /side-?bar(?![a-z])|(?<![a-z])(?:aside|rail)(?![a-z])/;
const footer = /footer(?![a-z])|(?<![a-z])copyright(?![a-z])/;
/** Class names of the header of a page. */
const header = /(?<![a-z])(?:(?:site|page)-?)?header(?![a-z])|(?<![a-z])masthead/;

function isLinkDense(element: Element, facts: Facts): boolean {
	if (facts.links(element) < 3 || facts.holdsMain(element)) return false;
	let children = 0;
	let links = 0;
	for (const child of element.children) {
		if (child.kind === 'text') continue;
		children++;
		if (isLink(child) || (child.tag === 'li' && isOnlyLink(child, facts))) links++;
	}
	return links * 2 > children;
}

function isLink(element: Element): boolean {
	return element.tag === 'a' && element.attributes.href !== undefined;
}

/** An item whose only content is a link counts as a link. */
function isOnlyLink(item: Element, facts: Facts): boolean {
	if (facts.links(item) !== 1) return false;
	let length = 0;
	for (const child of item.children) {
		if (child.kind === 'text') length += child.data.trim().length;
		else if (!isLink(child) && facts.links(child) === 0) length += facts.textLength(child);
	}
	return length === 0;
}

function isSmallPrint(element: Element, facts: Facts, inMain: boolean): boolean {
	if (inMain || (element.tag !== 'div' && element.tag !== 'section')) return false;
	return facts.hasLegalWording(element) && !facts.holdsMain(element) && facts.textLength(element) <= smallPrint;
}
