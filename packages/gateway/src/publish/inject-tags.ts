/** Around the tags that are ours. */
const begin = '<!--wayleave-->';
const end = '<!--/wayleave-->';

/** The page without tags of ours. The same bytes when there are none. */
export function removeTags(page: Buffer): Buffer {
	const from = page.indexOf(begin);
	const to = from < 0 ? -1 : page.indexOf(end, from);
	if (to < 0) return page;
	return Buffer.concat([page.subarray(0, from), page.subarray(to + end.length)]);
}

/**
 * Puts tags into the head of a page, and changes no other byte of it.
 *
 * @param page without tags of ours
 * @param tags ASCII
 * @returns undefined where there is no place for them: neither a head nor a body nor a title, or UTF-16
 */
export function injectTags(page: Buffer, tags: readonly string[]): Buffer | undefined {
	if (tags.length === 0) return page;
	const at = placeOf(page);
	if (at === undefined) return undefined;
	const block = Buffer.from(`${begin}${tags.join('')}${end}`, 'ascii');
	return Buffer.concat([page.subarray(0, at), block, page.subarray(at)]);
}

/** Elements whose content is text, whatever it looks like. */
const textElements = new Set(['script', 'style', 'title', 'textarea', 'template', 'noscript', 'noframes']);

/** End of the head: at its end tag, else before the body, else after the title. */
function placeOf(page: Buffer): number | undefined {
	if (page.length > 1 && (page.readUInt16BE() === 0xfeff || page.readUInt16BE() === 0xfffe)) return undefined;
	// A byte is a character, and every encoding of HTML but UTF-16 has ASCII as it is.
	const text = page.toString('latin1').toLowerCase();
	let behindTitle: number | undefined;
	for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
		if (text.startsWith('<!--', at)) {
			at = behind(text, '-->', at + 4);
			continue;
		}
		const name = nameAt(text, at + 1);
		if (name === '/head' || name === 'body') return at;
		at = tagEnd(text, at + 1 + name.length);
		if (textElements.has(name)) at = behind(text, '>', behind(text, `</${name}`, at));
		if (name === 'title' && at < text.length) behindTitle = at;
	}
	return behindTitle;
}

function nameAt(text: string, at: number): string {
	const name = /\/?[a-z][a-z0-9]*/y;
	name.lastIndex = at;
	return name.exec(text)?.[0] ?? '';
}

/** Behind the `>` of a tag; one in a quoted attribute value does not count. */
function tagEnd(text: string, from: number): number {
	let quote = '';
	for (let at = from; at < text.length; at++) {
		const character = text[at];
		if (quote !== '') {
			if (character === quote) quote = '';
		} else if (character === '"' || character === "'") quote = character;
		else if (character === '>') return at + 1;
	}
	return text.length;
}

function behind(text: string, mark: string, from: number): number {
	const at = text.indexOf(mark, from);
	return at < 0 ? text.length : at + mark.length;
}
