import type { Element } from '../dom/node.ts';
import { textContent } from '../dom/walk.ts';

/** Classes and ids of lists of comments and reviews. */
const namePattern =
	/(?:^|[\s_-])(?:comments?|comment-?(?:list|section|thread|area|body|form)|commentlist|disqus(?:_thread)?|responses|replies|reviews?|review-?list|guestbook|discussion)(?=$|[\s_-])/i;
/** Names of what only points to comments, or counts them. */
const not = /count|link|icon|toggle|button|rating|star|score/i;
const schema = /schema\.org\/(?:Comment|Review|UserComments|Answer)\b/i;

/** Whether an element holds what readers of the page have written: comments, replies, reviews. */
export function isComments(element: Element): boolean {
	const { class: className, id, itemtype, itemprop } = element.attributes;
	if (itemtype !== undefined && schema.test(itemtype)) return true;
	if (itemprop === 'comment' || itemprop === 'review') return true;
	if (element.tag === 'a' || element.tag === 'body' || element.tag === 'html' || element.tag === 'main') return false;
	return named(id) || (className !== undefined && className.length < 2_000 && className.split(/\s+/).some(named));
}

function named(name: string | undefined): boolean {
	return name !== undefined && name.length < 200 && namePattern.test(name) && !not.test(name);
}

/** Classes and ids of author and date lines. */
const byline =
	/(?:^|[\s_-])(?:by-?line|dateline|timestamp|post-?meta|entry-?meta|article-?meta|author(?:-?(?:name|info|box))?|published)(?=$|[\s_-])/i;
/** A longer text is no by-line, whatever its class says. */
const bylineLength = 200;

/** Whether an element says who wrote the article and when, rather than being part of it. */
export function isByline(element: Element): boolean {
	const { class: className, rel, itemprop } = element.attributes;
	const names = className === undefined || className.length >= 2_000 ? false : byline.test(className);
	const isNamed =
		names || rel === 'author' || itemprop === 'author' || itemprop === 'datePublished' || element.tag === 'time';
	return isNamed && textContent(element).trim().length <= bylineLength;
}
