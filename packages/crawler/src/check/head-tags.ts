import { isPolicyLink, type LicenceReference, type MetaTag } from '@wayleave/protocols/policy';

/** Signals about use in the head of a page, with lines for quoting. */
export interface HeadTags {
	readonly meta: readonly MetaTag[];
	readonly licences: readonly LicenceReference[];
}

/** Elements whose content is text, whatever it looks like. */
const textElements = /^(?:script|style|title|textarea|template|noframes|xmp)$/;

/** Finds the meta tags and RSL links of a page. One pass; what stands in comments and scripts is no tag. */
export function readHeadTags(html: string, url: string): HeadTags {
	const meta: MetaTag[] = [];
	const licences: LicenceReference[] = [];
	const lineAt = lineCounter(html);
	for (const { name, attributes, start, text } of startTags(html)) {
		const line = lineAt(start);
		const { content } = attributes;
		if (name === 'meta' && attributes.name !== undefined && content !== undefined)
			meta.push({ name: attributes.name, content, line });
		if (name === 'link' && isPolicyLink({ rel: attributes.rel ?? '', type: attributes.type }))
			licences.push({ url: attributes.href ?? '', source: url, line, text });
	}
	return { meta, licences };
}

interface StartTag {
	readonly name: string;
	readonly attributes: Readonly<Record<string, string | undefined>>;
	readonly start: number;
	readonly text: string;
}

function* startTags(html: string): Generator<StartTag> {
	for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
		if (html.startsWith('<!--', at)) {
			at = after(html, '-->', at + 4);
			continue;
		}
		const name = take(/<([a-z][a-z0-9-]*)/iy, html, at)?.[1]?.toLowerCase();
		if (name === undefined) {
			at++;
			continue;
		}
		const { attributes, end } = readAttributes(html, at + 1 + name.length);
		yield { name, attributes, start: at, text: html.slice(at, end) };
		at = textElements.test(name) ? after(html, `</${name}`, end) : end;
	}
}

/** Reads up to the end of a tag; a name that comes twice keeps its first value. */
function readAttributes(html: string, from: number): { attributes: Record<string, string>; end: number } {
	const attributes: Record<string, string> = Object.create(null);
	let at = from;
	for (;;) {
		at += (take(/[\s/]*/y, html, at)?.[0] ?? '').length;
		// Name, then an optional value: double-quoted, single-quoted or bare.
		const found = take(/([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]*)))?/y, html, at);
		if (!found) return { attributes, end: html[at] === '>' ? at + 1 : Math.min(at + 1, html.length) };
		const [, name = '', double, single, bare = ''] = found;
		attributes[name.toLowerCase()] ??= (double ?? single ?? bare).replaceAll('&amp;', '&');
		at += found[0].length;
	}
}

function take(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
	pattern.lastIndex = at;
	return pattern.exec(text);
}

/** The position after the next `end`, case ignored, or the end of the text. */
function after(text: string, end: string, from: number): number {
	const pattern = new RegExp(end, 'gi');
	pattern.lastIndex = from;
	return pattern.test(text) ? pattern.lastIndex : text.length;
}

/** The line of a position; positions are asked for in their order. */
function lineCounter(text: string): (position: number) => number {
	let line = 1;
	let counted = 0;
	return (position) => {
		for (let at = text.indexOf('\n', counted); at >= 0 && at < position; at = text.indexOf('\n', counted)) {
			line++;
			counted = at + 1;
		}
		return line;
	};
}
