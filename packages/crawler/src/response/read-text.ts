import type { Extraction } from '@wayleave/extract';
import { parseUrl } from '@wayleave/protocols/url';

const heading = /^(#{1,6})[ \t]+(.+?)[ \t]*#*$/;
/** `[text](url "title")` with its text and URL, or `<url>`; the lengths are bounded to keep it linear. */
const inlineLink =
	/(?<!!)\[([^\]\n]{0,500})\]\(<?([^\s)>]{1,2048})>?(?:\s+"[^"\n]*")?\)|<(https?:\/\/[^\s>]{1,2048})>/g;

/** A text or Markdown file as an extraction: its content is what it says, word by word. */
export function readText(text: string, url: string, kind: 'text' | 'markdown'): Extraction {
	const content = text.replace(/\r\n?/g, '\n').trim();
	const headings = kind === 'markdown' ? headingsOf(content) : [];
	const title = headings.find(({ level }) => level === 1)?.text;
	return {
		url,
		...(title !== undefined && { title }),
		markdown: content,
		text: content,
		headings,
		links: kind === 'markdown' ? linksOf(content, url) : [],
		images: [],
		hasJsonLd: false,
		page: title === undefined ? {} : { title },
	};
}

/** ATX headings outside of fenced code. */
function headingsOf(markdown: string): Extraction['headings'] {
	const headings: Extraction['headings'] = [];
	let fence = '';
	for (const line of markdown.split('\n')) {
		const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
		if (fence === '' && mark !== '') fence = mark;
		else if (fence !== '' && mark.startsWith(fence)) fence = '';
		const [, level, text] = (fence === '' && mark === '' && heading.exec(line)) || [];
		if (level !== undefined && text !== undefined) headings.push({ level: level.length, text });
	}
	return headings;
}

function linksOf(markdown: string, base: string): Extraction['links'] {
	const { host } = new URL(base);
	return [...markdown.matchAll(inlineLink)].flatMap(([, text, target, bare = '']) => {
		const href = target ?? bare;
		const url = parseUrl(href, base);
		if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return [];
		return [{ url: url.href, ...(text && { text }), internal: url.host === host }];
	});
}
