import { classBit, idBit } from '../dom/attribute-bits.ts';
import type { Element, Node, Text } from '../dom/node.ts';

/** A longer part is content, regardless of its class names. */
const maxNoise = 400;

/** Names that say what an element is for, as whole class tokens or ids. */
const noiseName = new RegExp(
	`(?:^|\\s)(?:[\\w-]*-)?(?:${[
		'share-?(?:bar|buttons?|links?|icons?|tools?|this|post|article|page|widget|box|list|menu|container|wrapper|block|options)',
		'(?:social|sharing)-?(?:share|sharing|buttons?|links?|icons?|bar|media-links|list|menu)',
		'sharedaddy|jp-relatedposts|addtoany\\w*|addthis\\w*|a2a_kit|shariff|sharethis\\w*',
		'(?:cookie|gdpr|consent)s?-?(?:banner|bar|notice|consent|popup|modal|message|policy-banner|overlay|wrapper|dialog)',
		'skip-?(?:link|links|nav|navigation|to-content|to-main|content)',
		'copy-?(?:btn|button|code|code-button|to-clipboard|link)|btn-(?:copy|clipboard)|clipboard(?:-copy|-button)?|zeroclipboard\\S*',
		'edit-?(?:this-?page|page|link|on-github|button)|mw-editsection\\S*|theme-edit-this-page',
		'page-?feedback|feedback-?(?:widget|form|buttons)|was-?this-?helpful|helpful-?(?:widget|buttons)',
		'back-?to-?top|scroll-?to-?top|to-?top|print-?(?:button|link|page|icon)',
		'enlighter-toolbar(?:-\\w+)?|toolbar-item|test-arrow|code-annotation-anchor',
		'jp-(?:Input|Output)Prompt|(?:input|output)_prompt',
		'cm-gutters|CodeMirror-gutter(?:s|-wrapper)|crayon-nums',
		'gist-meta|lang-?label|code-?lang(?:uage)?|language-?(?:label|name|tag)',
		'headerlink|header-anchor|hash-link|anchorjs-link|octicon-link|heading-anchor',
	].join('|')})(?=\\s|$)`,
	'i',
);

/** Whole labels of buttons that are not content. */
const noiseLabel =
	/^(?:copy(?: (?:code|link|to clipboard|page|url))?|share(?: this(?: (?:page|post|article))?)?|cookie (?:banner|consent|notice)|skip to (?:main )?content)$/i;

/** Texts of links and small elements that are tools of the page and not its content. */
const noiseText =
	/^(?:skip to (?:the )?(?:main )?(?:content|navigation|search)|jump to (?:content|navigation|search)|\[?(?:edit|edit source)\]?|edit this page(?: on \w+)?|edit (?:page )?on (?:github|gitlab|bitbucket)|improve this page|suggest (?:an? )?(?:edit|change)s?|back to top|copy(?: code| link| to clipboard)?|copied!?|share(?: this)?(?: (?:on|via) [\w. ]{1,20})?|tweet(?: this)?|pin it|print(?: this page)?|permalink|copy permalink|click to expand(?:\.{3}|…)?|ⓘ)$/i;

/** A link to the source code of what is described, as rustdoc, Sphinx and YARD add it. */
const source = /^\[?(?:src|source)\]?$/i;
const sourceName = /(?:^|\s)(?:src|srclink|src-link|viewcode-link|source-link)(?=\s|$)/;

/** Pages repeat their names: each is looked at once. */
function isNoiseName(names: string, known: Map<string, boolean>): boolean {
	let noise = known.get(names);
	if (noise === undefined) {
		noise = noiseName.test(names);
		known.set(names, noise);
	}
	return noise;
}

/** Longer names say everything and nothing. */
const maxNames = 500;

function hasNoiseName({ attributes, attributeBits }: Element, known: Map<string, boolean>): boolean {
	const name = attributeBits & classBit ? (attributes.class ?? '') : '';
	const id = attributeBits & idBit ? attributes.id : undefined;
	if (name.length + (id === undefined ? 0 : id.length + 1) > maxNames) return false;
	return (name !== '' && isNoiseName(name, known)) || (id !== undefined && isNoiseName(id, known));
}

/**
 * Share bars, cookie banners, copy buttons, permalinks, "edit this page", skip links: small, and named as such.
 *
 * @param known remembers what was found of names
 */
export function isNoise(element: Element, known: Map<string, boolean>): boolean {
	const { attributes, tag } = element;
	if (hasNoiseName(element, known)) return textWithin(element, maxNoise) !== undefined && !isWholeHeading(element);
	if (attributes['aria-label'] !== undefined && noiseLabel.test(attributes['aria-label']))
		return textWithin(element, maxNoise) !== undefined;
	if (tag !== 'a' || fillsHeading(element)) return false;
	const text = shortText(element, 40);
	if (source.test(text) && sourceName.test(attributes.class ?? '')) return true;
	return (noiseText.test(text) && !isName(element, text)) || isSelection(element, text);
}

/** phpBB: `<p>Code: <a href="#" onclick="selectCode(this)">Select all</a></p>` above code. */
const isSelection = ({ attributes }: Element, text: string): boolean =>
	/^select all$/i.test(text) && /^#?$/.test(attributes.href ?? '');

/** `<h2><a class="header-anchor" href="#usage"><span>Usage</span></a></h2>`: named as a permalink, but the heading itself. */
function isWholeHeading(element: Element): boolean {
	return element.tag === 'a' && fillsHeading(element) && !permalinkText.test(shortText(element, 200));
}

/** A heading with more nodes is not one link. */
const maxParts = 8;

/** All the text of a heading, which leads to itself: `<h3 id="print"><a href="#print">print</a></h3>`. */
function fillsHeading({ parent, attributes }: Element): boolean {
	if (parent === null || parent.children.length > maxParts) return false;
	if (!/^h[1-6]$/.test(parent.tag) || !attributes.href?.includes('#')) return false;
	return parent.children.every((child) =>
		child.kind === 'text' ? child.data.trim() === '' : child.tag === 'a' || shortText(child, 10) === '',
	);
}

/** The name of a function or a command, as indexes of them link to its page: `copy`, `print`. */
function isName({ attributes, children }: Element, text: string): boolean {
	if (children.some((child) => child.kind === 'element' && child.tag === 'code')) return true;
	return /^(?:copy|print|share)$/.test(text) && /\.html?(?:#|$)/.test(attributes.href ?? '');
}

/** Classes of the link beside a heading that leads to itself. */
const permalinkName =
	/(?:^|[\s_-])(?:anchor|header-?link|hash-?link|permalink|direct-link|section-link|deep-link|octicon-link)(?=$|[\s_-])/i;
const permalinkText = /^(?:[#¶§🔗⚓∞◆◇\s]|\ufe0e|\ufe0f|\u200b)*$/u;
/** Whole text of a link to the top of the page. */
const toTop = /^(?:[↑▲⇧^]\s*)?(?:(?:back|go|return|jump) )?(?:to )?(?:the )?top(?: of (?:the )?page)?(?:\s*[↑▲⇧])?$/iu;
/** Labels of the link beside a heading that leads to itself. */
const permalinkLabel = /^(?:permalink|permanent link|direct link|link to (?:this|the)|anchor|copy link|link)\b/i;

/** The sign beside a heading that leads to that heading. */
export function isPermalink(element: Element, baseUrl: string): boolean {
	const { href, class: name, title } = element.attributes;
	if (href === undefined) return false;
	const fragment = href.startsWith('#') || (href.includes('#') && href.split('#')[0] === baseUrl.split('#')[0]);
	if (!fragment) return false;
	const text = shortText(element, 40);
	if (text !== '' && (permalinkText.test(text) || toTop.test(text))) return true;
	if (text === '' && !holdsPicture(element)) return true;
	if (/^\[?(?:top|up|toc|link)\]?$/i.test(text) && element.parent !== null && /^h[1-6]$/.test(element.parent.tag))
		return !fillsHeading(element);
	return permalinkName.test(name ?? '') && permalinkLabel.test(text || (title ?? ''));
}

function holdsPicture(element: Element): boolean {
	return element.children.some((child) => child.kind === 'element' && (child.tag === 'img' || holdsPicture(child)));
}

/** Addresses of share dialogs. */
const shareUrl =
	/^https?:\/\/(?:(?:www|m)\.)?(?:facebook\.com\/(?:sharer|share\.php|dialog\/(?:share|feed))|(?:twitter|x)\.com\/(?:intent\/|share\b)|linkedin\.com\/(?:shareArticle|sharing|cws\/share)|pinterest\.[a-z.]+\/pin\/create|reddit\.com\/submit|t\.me\/share|telegram\.me\/share|vk\.com\/share|tumblr\.com\/(?:share|widgets\/share)|news\.ycombinator\.com\/submitlink|getpocket\.com\/(?:save|edit)|social-plugins\.line\.me|b\.hatena\.ne\.jp\/(?:entry|add)|bsky\.app\/intent|threads\.net\/intent)|^https?:\/\/(?:api|web)\.whatsapp\.com\/send|^whatsapp:|^mailto:\?/i;

/** A link that posts the page somewhere. */
export function isShareLink(url: string): boolean {
	return shareUrl.test(url);
}

/** The text of a small element, trimmed; of a larger one its first part, which matches nothing short. */
export function shortText(element: Element, limit: number): string {
	return textWithin(element, limit)?.replace(wide, ' ').trim() ?? '\0'.repeat(limit);
}

/** How many nodes are looked at, at most, to measure an element. */
const maxNodes = 200;

/** All the text, unless there is more than `limit` of it, or too many nodes to be small. */
function textWithin(element: Element, limit: number): string | undefined {
	if (isOneText(element.children)) {
		const { data } = element.children[0];
		return data.length > limit && data.replace(wide, ' ').length > limit ? undefined : data;
	}
	let text = '';
	let nodes = 0;
	const stack: Node[] = first(element.children);
	for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
		if (++nodes > maxNodes) return undefined;
		if (node.kind === 'text') text += node.data;
		else if (node.tag !== 'script' && node.tag !== 'style') stack.push(...first(node.children));
		if (text.length > limit && text.replace(wide, ' ').length > limit) return undefined;
	}
	return text;
}

/** White space that is more than a single space. */
const wide = /\s{2,}|(?! )\s/g;

function isOneText(nodes: readonly Node[]): nodes is [Text] {
	return nodes.length === 1 && nodes[0]!.kind === 'text';
}

/** The first nodes, last one first, to be taken from a stack. */
function first(nodes: readonly Node[]): Node[] {
	return nodes.slice(0, maxNodes + 1).toReversed();
}
