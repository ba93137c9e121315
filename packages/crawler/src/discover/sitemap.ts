import type { Problem } from '@wayleave/protocols';
import { Parser } from 'htmlparser2';
import { readJsonFeed } from './json-feed.ts';
import { isLlms, readLlms } from './llms.ts';
import { normaliseUrl } from './normalise.ts';
import type { SitemapEntry } from './sitemap-entry.ts';
import type { SitemapProblemCode } from './sitemap-problems.ts';

/** sitemaps.org, "Sitemap file restrictions". More is read, and said. */
const maxUrls = 50_000;
/** Characters given to the parser at a time, and entries handed out at a time. */
const chunkSize = 65_536;
const batchSize = 1000;

/**
 * Reads a list of pages: a sitemap in XML (url sets, indexes, with any prefix or none) or as plain text with one address
 * per line (sitemaps.org protocol 0.9), an RSS, Atom or JSON feed, or an llms.txt. Entries come in batches, so that a file of 50,000 is never held as a whole;
 * the problems are returned at the end.
 */
export function* readSitemap(
	bytes: Uint8Array,
	url: string,
): Generator<SitemapEntry[], readonly Problem<SitemapProblemCode>[]> {
	const text = decodeText(bytes);
	const sheet = new ProblemSheet(text);
	let count = 0;
	for (const batch of readAs(text, url, sheet)) {
		count += batch.length;
		yield batch;
	}
	if (count > maxUrls) sheet.add('sitemap-too-many-urls', 'warning', 0, { count });
	return sheet.problems;
}

function readAs(text: string, url: string, sheet: ProblemSheet): Iterable<SitemapEntry[]> {
	if (isXml(text)) return readXml(text, url, sheet);
	if (isLlms(url)) return [readLlms(text, url)];
	if (!/^[\s\uFEFF]*\{/.test(text)) return readLines(text, url, sheet);
	const entries = readJsonFeed(text.replace(/^\uFEFF/, ''), url);
	if (entries === undefined) sheet.add('sitemap-unreadable', 'error', 0);
	return [entries ?? []];
}

const isXml = (text: string): boolean => /^[\s\uFEFF]*</.test(text);

/** UTF-8 unless the first bytes or the XML declaration say otherwise (XML 1.0 §4.3.3 and appendix F). */
function decodeText(bytes: Uint8Array): string {
	const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
	const declared = /^[^<]*<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)/.exec(head)?.[1] ?? 'utf-8';
	const label = /^(?:\xFF\xFE|[^\0]\0[^\0]\0)/.test(head)
		? 'utf-16le'
		: /^(?:\xFE\xFF|\0[^\0]\0[^\0])/.test(head)
			? 'utf-16be'
			: // Text read byte by byte is not UTF-16: .NET declares the encoding of its strings, and sends UTF-8.
				declared.replace(/^(?:utf-?16|ucs-?2|unicode$).*/i, 'utf-8');
	try {
		return new TextDecoder(label).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}

function* readLines(text: string, base: string, sheet: ProblemSheet): Generator<SitemapEntry[]> {
	let batch: SitemapEntry[] = [];
	let found = false;
	let offset = 0;
	for (const line of text.split(/\r\n|[\r\n]/)) {
		const url = /^\s*<?https?:/i.test(line) ? normaliseUrl(line, base) : undefined;
		if (url !== undefined) batch.push({ url, kind: 'page' });
		else if (found && line.trim() !== '') sheet.add('sitemap-bad-url', 'warning', offset, { text: line.slice(0, 200) });
		found ||= url !== undefined;
		offset += line.length + 1;
		if (batch.length >= batchSize) {
			yield batch;
			batch = [];
		}
	}
	if (!found) sheet.add('sitemap-unreadable', 'error', 0);
	if (batch.length > 0) yield batch;
}

function* readXml(text: string, base: string, sheet: ProblemSheet): Generator<SitemapEntry[]> {
	if (/^[\s\uFEFF]+<\?xml/.test(text) && !text.startsWith('<?xml', text.charCodeAt(0) === 0xfeff ? 1 : 0))
		sheet.add('sitemap-xml-declaration-not-first', 'warning', 0);
	const reader = new XmlReader(text, base, sheet);
	for (let at = 0; at < text.length; at += chunkSize) {
		reader.parser.write(text.slice(at, at + chunkSize));
		if (reader.entries.length >= batchSize) yield reader.take();
	}
	reader.end();
	if (!reader.recognised) sheet.add('sitemap-unreadable', 'error', 0);
	if (reader.entries.length > 0) yield reader.take();
}

/** Elements that hold one entry, and the ones inside them that hold its address. */
const entryKinds: Readonly<Record<string, SitemapEntry['kind']>> = {
	url: 'page',
	sitemap: 'sitemap',
	item: 'page',
	entry: 'page',
};
const rootNames = new Set(['urlset', 'sitemapindex', 'rss', 'feed', 'rdf']);
const lastModifiedNames = new Set(['lastmod', 'pubdate', 'updated']);

class XmlReader {
	readonly entries: SitemapEntry[] = [];
	readonly parser: Parser;
	recognised = false;
	#base: string;
	/** Of the entry that is open. */
	#entryBase = '';
	readonly #sheet: ProblemSheet;
	/** The element of the entry that is open, with its prefix: `sm:url`. */
	#entry = '';
	#location = '';
	#permalink = '';
	#lastModified = '';
	/** The field that the current text belongs to. */
	#field: 'location' | 'permalink' | 'lastModified' | undefined;
	#fieldName = '';
	#text = '';
	#inCdata = false;
	#kind: SitemapEntry['kind'] = 'page';
	/** Text directly in the open entry, where an address may be without its element. */
	#loose = '';
	#root = '';
	/** Text outside of all entries, where a file may list addresses without any element. */
	#stray = '';
	readonly #whole: string;

	constructor(text: string, base: string, sheet: ProblemSheet) {
		this.#whole = text;
		this.#base = base;
		this.#sheet = sheet;
		this.parser = new Parser(
			{
				onopentag: (name, attributes) => this.#open(name, attributes),
				onclosetag: (name, implied) => this.#close(name, implied),
				ontext: (text) => this.#read(text),
				oncdatastart: () => {
					this.#inCdata = true;
				},
				oncdataend: () => {
					this.#inCdata = false;
				},
			},
			// Entities are decoded here, so that a bare ampersand is noticed. Others than the five of XML are not expanded.
			{ xmlMode: true, decodeEntities: false },
		);
	}

	end(): void {
		this.parser.end();
		this.#takeStray();
	}

	take(): SitemapEntry[] {
		return this.entries.splice(0);
	}

	#open(name: string, attributes: Record<string, string>): void {
		this.#takeStray();
		const local = localName(name);
		if (rootNames.has(local)) {
			this.recognised = true;
			this.#root = local;
			this.#base = this.#baseIn(attributes);
		}
		if (this.#entry === '') {
			if (local === 'link' && attributes.rel === 'next') this.#addNext(attributes.href);
			// Some files omit `url`: then `loc` is the entry itself.
			const isBare = local === 'loc' && (this.#root === 'urlset' || this.#root === 'sitemapindex');
			if (!(local in entryKinds) && !isBare) return;
			this.recognised = true;
			this.#beginEntry(name, this.#baseIn(attributes));
			if (isBare) this.#startField('location', name);
			return;
		}
		// `image:loc` inside `url` is not the page: the prefix must be that of the entry.
		if (prefixOf(name) !== prefixOf(this.#entry)) return;
		if (local === 'loc' || local === 'link') this.#startField('location', name);
		if (local === 'guid' && attributes.isPermaLink !== 'false') this.#startField('permalink', name);
		if (lastModifiedNames.has(local)) this.#startField('lastModified', name);
		const isPage = attributes.rel === undefined || attributes.rel === 'alternate';
		if (local === 'link' && attributes.href !== undefined && isPage && this.#location === '')
			this.#location = this.#decode(attributes.href);
	}

	#beginEntry(name: string, base: string): void {
		this.#entry = name;
		this.#kind = entryKinds[localName(name)] ?? (this.#root === 'sitemapindex' ? 'sitemap' : 'page');
		this.#entryBase = base;
		this.#location = '';
		this.#permalink = '';
		this.#lastModified = '';
		this.#loose = '';
	}

	/** Atom feeds have relative addresses, and say with `xml:base` (RFC 4287 §2) to what. */
	#baseIn({ 'xml:base': base }: Record<string, string>): string {
		return base === undefined ? this.#base : (normaliseUrl(this.#decode(base), this.#base) ?? this.#base);
	}

	/** RFC 5005 §3: a feed goes on in another document. */
	#addNext(href = ''): void {
		const url = normaliseUrl(this.#decode(href), this.#base);
		if (url !== undefined) this.entries.push({ url, kind: 'sitemap' });
	}

	#startField(field: 'location' | 'permalink' | 'lastModified', name: string): void {
		this.#field = field;
		this.#fieldName = name;
		this.#text = '';
	}

	#read(text: string): void {
		// Decoded at the end of the element: a piece may break off inside an entity. CDATA has none, so it gets them.
		if (this.#field === undefined && this.#entry !== '') this.#loose += text.slice(0, 4096);
		if (this.#entry === '' && this.#isOfSitemap()) this.#stray += text;
		if (this.#field !== undefined) this.#text += this.#inCdata ? text.replaceAll('&', '&amp;') : text;
	}

	#close(name: string, implied: boolean): void {
		this.#takeStray();
		// A self-closing element is closed by its own tag.
		const tag = implied ? this.#whole.slice(this.parser.startIndex, this.parser.endIndex + 1) : '';
		if (implied && !tag.endsWith('/>') && (this.#entry !== '' || rootNames.has(localName(name))))
			this.#sheet.add('sitemap-unclosed', 'warning', this.parser.startIndex);
		if (name === this.#fieldName && this.#field !== undefined) {
			const text = this.#decode(this.#text).trim();
			if (this.#field === 'lastModified') this.#lastModified ||= text;
			else if (this.#field === 'permalink') this.#permalink ||= text;
			else this.#locate(text);
			this.#field = undefined;
		}
		if (name === this.#entry) this.#endEntry();
	}

	/** A second address in one entry is a separate entry whose `url` is missing. */
	#locate(text: string): void {
		if (unresolved.test(this.#text)) this.#location ||= this.#text.trim();
		else if (this.#location === '' || this.#location === text || !this.#isOfSitemap()) this.#location ||= text;
		else {
			this.#sheet.add('sitemap-entry', 'warning', this.parser.startIndex, { text: text.slice(0, 200) });
			this.#push(text);
		}
	}

	#takeStray(): void {
		const words = this.#stray.split(/\s+/).filter((word) => /^https?:/i.test(word));
		this.#stray = '';
		for (const word of words) {
			this.#sheet.add('sitemap-entry', 'warning', this.parser.startIndex, { text: word.slice(0, 200) });
			this.#beginEntry('', this.#base);
			this.#push(this.#decode(word));
		}
	}

	#isOfSitemap(): boolean {
		return this.#root === 'urlset' || this.#root === 'sitemapindex';
	}

	#endEntry(): void {
		this.#entry = '';
		// RSS 2.0: an item may have no link, and is then found by its guid, unless that says that it is no address.
		if (/^https?:/i.test(this.#permalink)) this.#location ||= this.#permalink;
		if (this.#location === '' && this.#isOfSitemap()) {
			const text = this.#decode(this.#loose).trim();
			this.#sheet.add('sitemap-entry', 'warning', this.parser.startIndex, { text: text.slice(0, 200) });
			if (/^https?:/i.test(text)) this.#location = text;
		}
		if (this.#location !== '') this.#push(this.#location);
	}

	#push(location: string): void {
		const several = this.#isOfSitemap() ? location.split(/\s+(?=https?:\/\/)/i) : [];
		if (several.length > 1) {
			this.#sheet.add('sitemap-entry', 'warning', this.parser.startIndex, { text: location.slice(0, 200) });
			for (const each of several) this.#push(each);
			return;
		}
		const isGuess = (this.#isOfSitemap() && this.#lacksScheme(location)) || unresolved.test(location);
		const url = isGuess ? undefined : normaliseUrl(location, this.#entryBase);
		if (url === undefined)
			this.#sheet.add('sitemap-bad-url', 'warning', this.parser.startIndex, { text: location.slice(0, 200) });
		else this.entries.push({ url, kind: this.#kind, ...(this.#lastModified && { lastModified: this.#lastModified }) });
	}

	/** As a relative address, `www.example.com` would be a page of this site, and so would the name of the site itself. */
	#lacksScheme(location: string): boolean {
		const first = /^[^/?#]*/.exec(location)?.[0].toLowerCase() ?? '';
		return first.startsWith('www.') || first === new URL(this.#entryBase).host;
	}

	#decode(text: string): string {
		if (!text.includes('&')) return text;
		// Hexadecimal, decimal and the five named references of XML; a lone `&` stays as it is.
		return text.replace(/&(?:#x([\da-f]{1,6});|#(\d{1,7});|(amp|lt|gt|quot|apos);)?/gi, (whole, hex, decimal, name) => {
			if (name !== undefined) return named[String(name).toLowerCase()] ?? whole;
			const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
			if (code <= 0x10ffff) return String.fromCodePoint(code);
			this.#sheet.add('sitemap-raw-ampersand', 'warning', this.parser.startIndex);
			return whole;
		});
	}
}

/** A reference to an entity that XML does not define: its replacement is unknown. */
const unresolved = /&(?!(?:amp|lt|gt|quot|apos);)[a-z][\w.-]*;/i;

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();
const prefixOf = (name: string): string => name.slice(0, Math.max(name.indexOf(':'), 0));

/** The first problem of each kind, with its line, and how many more there were. */
class ProblemSheet {
	readonly #text: string;
	readonly #byCode = new Map<SitemapProblemCode, Problem<SitemapProblemCode>>();

	constructor(text: string) {
		this.#text = text;
	}

	get problems(): readonly Problem<SitemapProblemCode>[] {
		return [...this.#byCode.values()];
	}

	add(code: SitemapProblemCode, severity: Problem['severity'], offset: number, args: Problem['args'] = {}): void {
		const known = this.#byCode.get(code);
		if (known !== undefined) {
			const times = Number(known.args.times ?? 1) + 1;
			this.#byCode.set(code, { ...known, args: { ...known.args, times } });
			return;
		}
		const before = this.#text.slice(0, offset);
		const line = before.split('\n').length;
		this.#byCode.set(code, { code, severity, line, column: offset - before.lastIndexOf('\n'), args });
	}
}
