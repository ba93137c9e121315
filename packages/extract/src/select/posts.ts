import { parseDate } from '../metadata/dates.ts';
import type { Block, Box } from './read/box.ts';
import type { Flags } from './read/flags.ts';

/** By-lines are short, in characters. */
const maxName = 40;
const maxDate = 60;
/** How many boxes above a by-line its post is looked for. */
const levels = 12;

/** Classes and ids of posts in a thread. */
const postPattern =
	/(?:^|[\s_-])(?:c?post|blockpost|message|ipscomment|comment|reply|answer|question|thread-?(?:post|item))(?=$|[\s_-]|\d)/i;
/** Schema.org types of posts in a thread. */
const postType = /\/(?:Comment|DiscussionForumPosting|Answer|Question|SocialMediaPosting)$/;
/** Classes and ids of the author of a post. */
const author =
	/(?:^|[\s_-])(?:author|authors|username|user-?name|poster|postername|nickname|message-name|user-details|postleft|creator)(?=$|[\s_-])/i;
/** Addresses of user profiles, as forum software builds them. */
const profile =
	/\/(?:u|users?|members?|profiles?|people)\/|\/~|memberlist\.php|member\.php|action=profile|profile\.php|showuser=/i;
/** Classes and ids of the date of a post. */
const datePattern = /(?:^|[\s_-])(?:post-?date|date|time|datetime|timestamp|relative-date|date-?stamp)(?=$|[\s_-])/i;
/** Dates that tell of the member and not of the post, or of a later change. */
const otherDate = /\b(?:join|regist|since|member|last (?:edit|seen|visit|active|modif)|edited)/i;

/** The author of a thread: of the first post with kept text, as the page names them. */
export function starterOf(blocks: readonly Block[], bylines: readonly Byline[]): string | undefined {
	const name = bylines.find(({ post, isName }) => isName && post === bylines[0]!.post);
	if (name === undefined) return undefined;
	// A rank may follow the name.
	const { texts } = blocks[name.at]!;
	return (texts.find(({ parent }) => parent?.tag === 'a') ?? texts[0]!).data.trim();
}

export interface Byline {
	/** Of the block. */
	readonly at: number;
	/** A name, else a date. */
	readonly isName: boolean;
	readonly post: Box;
}

/**
 * Author and date of each post of a thread: the first name and date in every post with kept text. They
 * are no part of the running text.
 */
export function findBylines(blocks: readonly Block[], keep: Flags): Byline[] {
	const found: Byline[] = [];
	const counts = new Int32Array(blocks.length + 1);
	for (let i = 0; i < blocks.length; i++) counts[i + 1] = counts[i]! + (keep[i] ? 1 : 0);
	const named = new Set<Box>();
	const dated = new Set<Box>();
	for (let i = 0; i < blocks.length; i++) {
		const block = blocks[i]!;
		const seen = isName(block) ? named : isDate(block) ? dated : undefined;
		const post = seen === undefined ? undefined : postAround(block.box, counts);
		if (seen === undefined || post === undefined || seen.has(post)) continue;
		seen.add(post);
		found.push({ at: i, isName: seen === named, post });
	}
	return found;
}

function postAround(box: Box, counts: Int32Array): Box | undefined {
	let up: Box | null = box;
	for (let level = 0; up !== null && level < levels; level++, up = up.parent)
		if (counts[up.end]! > counts[up.start]! && isPost(up)) return up;
	return undefined;
}

function isPost({ element: { tag, attributes } }: Box): boolean {
	return (
		tag === 'article' ||
		postType.test(attributes.itemtype ?? '') ||
		postPattern.test((attributes.class ?? '').slice(0, 500)) ||
		postPattern.test(attributes.id ?? '')
	);
}

function isName({ box, text, linked, texts }: Block): boolean {
	if (box.hidden || text.length > maxName || !/\p{L}/u.test(text) || isElsewhere(box)) return false;
	const isLink = linked > 0 && linked >= text.replace(/\s/g, '').length;
	return namesAround(texts[0]!.parent, box, isLink).some((name) => author.test(name));
}

function isDate({ box, text, texts }: Block): boolean {
	if (box.hidden || text.length > maxDate || otherDate.test(text) || isElsewhere(box)) return false;
	const parents = texts.map(({ parent }) => parent);
	if (parents.some((parent) => parent?.tag === 'time' || parent?.attributes.datetime !== undefined)) return true;
	const date = /\d{4}|\d[./-]\d/.test(text) ? parseDate(text) : undefined;
	return (
		date !== undefined &&
		date.length >= 10 &&
		parents.some((parent) => datePattern.test(parent?.attributes.class ?? ''))
	);
}

/** Names of the elements around a text, up to the box over its own; a link to a profile is called so. */
function namesAround(element: Block['box']['element'] | null, box: Box, isLink: boolean): string[] {
	const names: string[] = [];
	const top = box.parent?.parent?.element ?? box.element;
	for (let at = element; at !== null; at = at.parent) {
		const { class: name, itemprop, href, rel } = at.attributes;
		names.push(`${(name ?? '').slice(0, 300)} ${itemprop ?? ''} ${rel ?? ''}`);
		if (isLink && at.tag === 'a' && profile.test(href ?? '')) names.push('author');
		if (at === top) break;
	}
	return names;
}

/** In a quotation, or in what readers have signed with. */
function isElsewhere(box: Box): boolean {
	for (let up: Box | null = box, level = 0; up !== null && level < 4; up = up.parent, level++) {
		if (up.element.tag === 'blockquote' || up.element.tag === 'nav') return true;
		if (/signature|quote|reaction|likes|avatar/i.test(up.element.attributes.class ?? '')) return true;
	}
	return false;
}
