import { copyOf, type Element } from '../dom/node.ts';
import { textContent, walk } from '../dom/walk.ts';
import type { Builder } from './builder.ts';
import { imageUrl } from './image-url.ts';
import { shortText } from './noise.ts';

/** An image by its best address. Pixels that count readers are left out, emoji become their text. */
export function image(builder: Builder, element: Element): void {
	const { attributes } = element;
	const { alt = '', width, height, class: name = '' } = attributes;
	const text = alt.replace(/\s+/g, ' ').trim();
	if (
		// Classes of images that stand for an emoji.
		/(?:^|\s)(?:emoji|wp-smiley|twemoji|smilie|smiley|smilies|emoticon|bbc_emoticon)(?=\s|$)/i.test(name) ||
		isEmoji(text)
	) {
		builder.run.text(text);
		return;
	}
	if (isTiny(width) || isTiny(height) || avatar.test(name) || isStandIn(element)) return;
	if (isForNoScripts(element, builder.lastImage)) return;
	if (text === '' && (isSmall(width, height) || isInHeading(element) || iconName.test(name))) return;
	const url = builder.resolve(imageUrl(element));
	builder.lastImage = url === undefined ? undefined : element;
	if (url === undefined || counter.test(url) || avatarUrl.test(url)) return;
	const key = sameness(url);
	if (builder.images.has(key) && !builder.inCell && !builder.context.isFile) return;
	builder.images.add(key);
	builder.run.push({ kind: 'image', url, alt: text === attributes.src ? '' : text });
}

/** The sign of a site beside its name, on cards of links. */
const iconName = /(?:^|[\s_-])(?:icon|favicon)(?=$|\s)/i;

const isEmoji = (text: string): boolean =>
	// Pictographs, skin tones, joiners and variation selectors only.
	text !== '' && /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\u200d\ufe0f])+$/u.test(text);

function isTiny(size: string | undefined): boolean {
	return size !== undefined && /^\s*[0-3](?:px)?\s*$/.test(size);
}

/** The side of an icon, in pixels, at most. */
const icon = 24;

/** A small picture that is called nothing decorates. */
function isSmall(width = '', height = ''): boolean {
	const size = (value: string): number => (/^\s*\d+(?:px)?\s*$/.test(value) ? Number.parseInt(value, 10) : Number.NaN);
	return size(width) <= icon && size(height) <= icon;
}

/** Beside the words of a heading a picture without a name decorates. */
function isInHeading({ parent }: Element): boolean {
	const heading = parent?.tag === 'a' || parent?.tag === 'span' ? parent.parent : parent;
	return heading !== null && heading !== undefined && /^h[1-6]$/.test(heading.tag) && shortText(heading, 200) !== '';
}

/** The same picture in another size or behind another query. */
function sameness(url: string): string {
	return url.replace(/[?#].*$/, '').replace(/-\d{2,4}x\d{2,4}(?=\.\w+$)/, '');
}

/** Names of the placeholder that is shown until the image loads. */
const standIn =
	/(?:^|[\s_-])(?:is-)?(?:blur(?:red|ry)?|blur-?up|lqip|placeholder|preview|thumb|thumbnail|low-?(?:res|quality)|tiny|skeleton)(?:$|[\s_-])/i;

/** A placeholder next to its image, which a script swaps in. */
function isStandIn(element: Element): boolean {
	if (!isMarkedSmall(element)) return false;
	const alt = element.attributes.alt?.trim() ?? '';
	let at = element;
	for (let level = 0; level < 3 && at.parent !== null; level++, at = at.parent) {
		const siblings = at.parent.children.filter(
			(child) => child !== at && !(child.kind === 'text' && child.data.trim() === ''),
		);
		if (siblings.length > 3 || siblings.some(({ kind }) => kind === 'text')) return false;
		const others = siblings.flatMap((sibling) => (sibling.kind === 'element' ? imagesIn(sibling, 3) : []));
		if (others.some((other) => !isMarkedSmall(other) && isSameAlt(alt, other.attributes.alt?.trim() ?? '')))
			return true;
		if (siblings.length > 0) return false;
	}
	return false;
}

/** The picture for readers without scripts, beside the one that a script loads. */
function isForNoScripts({ parent, attributes }: Element, last: Element | undefined): boolean {
	if (parent?.tag !== 'noscript' || last === undefined) return false;
	const isBeside = last.parent === parent.parent || last.parent?.parent === parent.parent;
	return isBeside && isSameAlt(attributes.alt?.trim() ?? '', last.attributes.alt?.trim() ?? '');
}

const isSameAlt = (one: string, other: string): boolean => one === other || one === '' || other === '';

function isMarkedSmall({ attributes, parent }: Element): boolean {
	if (standIn.test(attributes.class ?? '') || /filter\s*:[^;]*blur/i.test(attributes.style ?? '')) return true;
	return parent !== null && parent.children.length === 1 && standIn.test(parent.attributes.class ?? '');
}

function imagesIn(element: Element, depth: number): Element[] {
	if (element.tag === 'img') return [element];
	if (depth === 0) return [];
	return element.children.flatMap((child) => (child.kind === 'element' ? imagesIn(child, depth - 1) : []));
}

/** `<picture>` by its `<img>`, or by the first source where that has no address. */
export function picture(builder: Builder, element: Element): void {
	const inner = element.children.find((child) => child.kind === 'element' && child.tag === 'img');
	if (inner?.kind === 'element') {
		const found = imageUrl(inner);
		const source = found === undefined ? sourceOf(element) : undefined;
		image(builder, source === undefined ? inner : copyOf(inner, { ...inner.attributes, src: source }));
		return;
	}
	const source = sourceOf(element);
	if (source !== undefined) image(builder, copyOf(element, { src: source, alt: element.attributes.alt ?? '' }));
}

function sourceOf(element: Element): string | undefined {
	for (const child of element.children) {
		if (child.kind === 'element' && child.tag === 'source') {
			const url = imageUrl(child);
			if (url !== undefined) return url;
		}
	}
	return undefined;
}

/** A drawing has no address; its title is kept where the author says it is a picture. */
export function svg(builder: Builder, element: Element): void {
	if (holdsProse(builder, element)) return;
	const shown = element.attributes.role === 'img' || element.parent?.tag === 'figure';
	if (!shown) return;
	const title = element.children.find((child) => child.kind === 'element' && child.tag === 'title');
	const label = element.attributes['aria-label'] ?? (title?.kind === 'element' ? textOf(title) : '');
	builder.run.text(label.trim() === '' ? '' : ` ${label} `);
}

/** Shorter texts are labels of a drawing. */
const minProse = 40;

/** Writes the HTML inside a drawing, where it is more than a label. */
function holdsProse(builder: Builder, element: Element): boolean {
	const boxes: Element[] = [];
	walk(element, (node) => {
		if (node.kind === 'text') return false;
		if (node.tag !== 'foreignobject') return true;
		if (textContent(node).trim().length >= minProse && node.children.some(({ kind }) => kind === 'element'))
			boxes.push(node);
		return false;
	});
	for (const box of boxes) builder.block(() => builder.children(box));
	return boxes.length > 0;
}

function textOf(element: Element): string {
	return element.children.map((child) => (child.kind === 'text' ? child.data : '')).join('');
}

/** Video and audio as a link to the recording. */
export function media(builder: Builder, element: Element): void {
	const sources = [element, ...element.children.filter((child) => child.kind === 'element')];
	const url = sources
		.map(({ attributes }) => builder.resolve(attributes.src ?? attributes['data-src']))
		.find((found) => found !== undefined);
	if (url === undefined) return;
	linkTo(builder, url, labelOf(element) ?? (element.tag === 'audio' ? 'Audio' : 'Video'));
}

/** Small portraits beside a name. */
const avatar = /(?:^|[\s_-])(?:avatar|gravatar|userpic|profile-pic)(?=$|[\s_-])/i;
const avatarUrl =
	/^https?:\/\/(?:[\w-]+\.)*gravatar\.com\/|^https?:\/\/avatars\.githubusercontent\.com\/|\/(?:user_)?avatars?\//i;

/** Pictures that only count readers. */
const counter =
	/^https?:\/\/(?:[\w-]+\.)*(?:scorecardresearch\.com|doubleclick\.net|google-analytics\.com|quantserve\.com|stats\.wp\.com|pixel\.wp\.com|bat\.bing\.com|analytics\.twitter\.com|ads\.linkedin\.com|px\.ads\.linkedin\.com|hits?\.[\w.-]+|feedburner\.com\/~ff)\/|facebook\.com\/tr\b|\/(?:pixel|beacon|tracking|spacer|blank)\.(?:gif|png)(?:\?|$)/i;

/** Frames that hold advertising, counters, log-ins and comment boxes. */
const noContent =
	/^https?:\/\/(?:[\w-]+\.)*(?:doubleclick\.net|googlesyndication\.com|googletagmanager\.com|google-analytics\.com|googleadservices\.com|amazon-adsystem\.com|adnxs\.com|taboola\.com|outbrain\.com|criteo\.(?:com|net)|scorecardresearch\.com|disqus\.com|recaptcha\.net|hcaptcha\.com|addthis\.com|sharethis\.com|accounts\.google\.com|onetrust\.com|cookiebot\.com|trustarc\.com|hotjar\.com|intercom\.io)\/|\/recaptcha\/|facebook\.com\/(?:plugins|v[\d.]+\/plugins|tr)\b|platform\.twitter\.com\/widgets\/(?:follow|tweet)_button|\/(?:ads?|adframe|adserver|pixel)\//i;

/** An embedded page as a link to it; players are linked by the page that a person would open. */
export function embed(builder: Builder, element: Element): void {
	const { attributes } = element;
	const id = attributes['data-videoid'] ?? attributes.videoid ?? attributes['video-id'];
	const source =
		id !== undefined
			? playerUrl(element.tag, id)
			: attributes.src || attributes['data-src'] || attributes['data-lazy-src'] || attributes.data;
	const url = builder.resolve(source);
	if (element.tag === 'object' && element.children.some((child) => child.kind === 'element' && child.tag !== 'param')) {
		builder.children(element);
		return;
	}
	if (url === undefined || noContent.test(url) || isTiny(attributes.width) || isTiny(attributes.height)) return;
	const shown = watchUrl(url);
	linkTo(builder, shown, labelOf(element) ?? nameOf(shown));
}

function playerUrl(tag: string, id: string): string {
	return tag === 'lite-vimeo' ? `https://vimeo.com/${id}` : `https://www.youtube.com/watch?v=${id}`;
}

function watchUrl(url: string): string {
	const { host, pathname } = new URL(url);
	const id = /^\/(?:embed|v|shorts)\/([\w-]{6,})/.exec(pathname)?.[1];
	if (/(?:^|\.)youtube(?:-nocookie)?\.com$/.test(host) && id !== undefined && id !== 'videoseries')
		return `https://www.youtube.com/watch?v=${id}`;
	const vimeo = host === 'player.vimeo.com' ? /^\/video\/(\d+)/.exec(pathname)?.[1] : undefined;
	return vimeo === undefined ? url : `https://vimeo.com/${vimeo}`;
}

function labelOf({ attributes }: Element): string | undefined {
	const label = attributes.title ?? attributes['aria-label'] ?? attributes.playlabel ?? attributes['data-title'];
	return label?.replace(/\s+/g, ' ').trim() || undefined;
}

/** The file where the address ends in one, else the host. */
function nameOf(url: string): string {
	const { host, pathname } = new URL(url);
	return /[^/]+\.(?:pdf|mp4|webm|mp3|ogg|wav|swf|svg)$/i.exec(pathname)?.[0] ?? host;
}

/** In a paragraph of its own, unless it stands in a link. */
function linkTo(builder: Builder, url: string, label: string): void {
	if (builder.run.isOpen('link')) builder.run.text(label);
	else builder.block(() => builder.marked({ name: 'link', url }, () => builder.run.text(label)));
}
