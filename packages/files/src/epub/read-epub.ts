import { FileError } from '../errors.ts';
import { writeDocument } from '../html.ts';
import { resolvePath } from '../office/ooxml.ts';
import { allOf, decodeXml, parseTree, textIn, type XmlElement } from '../office/xml.ts';
import { unpack } from '../office/zip.ts';
import type { FileContent, FileLimits } from '../types.ts';
import { type BookPlaces, chapterHtml } from './chapter.ts';
import { decoded, encryptedFiles, packagePath, readBook } from './package.ts';
import { StyleRules } from './visible.ts';

const containerPath = 'META-INF/container.xml';
const encryptionPath = 'META-INF/encryption.xml';

/**
 * Reads the chapters of a book in their reading order, as plain HTML.
 *
 * @param onChapter called for each chapter that has been read
 * @throws FileError
 */
export async function readEpub(bytes: Uint8Array, limits: FileLimits, onChapter: () => void): Promise<FileContent> {
	const size = limits.size << 20;
	const meta = unpack(bytes, (name) => name === containerPath || name === encryptionPath, size);
	const path = packagePath(treeOf(meta, containerPath));
	const encryption = meta.has(encryptionPath) ? encryptedFiles(treeOf(meta, encryptionPath)) : new Set<string>();
	if (encryption.has(path)) throw locked();
	const book = readBook(
		treeOf(
			unpack(bytes, (name) => name === path, size),
			path,
		),
		path,
	);
	if (book.chapters.some((chapter) => encryption.has(chapter))) throw locked();
	if (book.chapters.length === 0) throw new FileError('file-damaged', `${path} lists no chapters`);
	if (book.chapters.length > limits.pages)
		throw new FileError(
			'file-over-limit',
			`the book has ${book.chapters.length} files; at most ${limits.pages} are read`,
		);
	const chapters = new Set(book.chapters);
	const files = unpack(bytes, (name) => chapters.has(name) || /\.css$/i.test(name), size);
	const leftOut = book.chapters.flatMap((chapter, at) => (files.has(chapter) ? [] : [`chapter ${at + 1}: missing`]));
	if (leftOut.length === book.chapters.length)
		throw new FileError('file-damaged', 'the chapters that the book lists are missing');
	const body = bodyOf(book.chapters, files, onChapter);
	return { html: writeDocument(book.head, body), pages: book.chapters.length, leftOut };
}

const locked = () => new FileError('file-encrypted', 'the book is encrypted for the readers of a shop (DRM)');

function treeOf(files: ReadonlyMap<string, Uint8Array>, name: string): XmlElement {
	const file = files.get(name);
	if (file === undefined) throw new FileError('file-damaged', `${name} is missing`);
	return parseTree(decodeXml(file), { part: name, local: true });
}

function bodyOf(chapters: readonly string[], files: ReadonlyMap<string, Uint8Array>, onChapter: () => void): string {
	const sheets = new BookSheets(files);
	const places: BookPlaces = { numbers: new Map(chapters.map((path, at) => [path, at + 1])), used: new Set() };
	const bodies = chapters.map((path, at) => {
		const file = files.get(path);
		if (file === undefined) return '';
		const tree = parseTree(decodeXml(file), { part: path, html: true });
		const html = chapterHtml(tree, { path, number: at + 1, styles: sheets.of(tree, path), places });
		onChapter();
		return `<a id="chapter-${at + 1}"></a>${html}`;
	});
	// Other ids would look like places that a link can lead to.
	return bodies.join('\n').replace(/ id="(c\d+-[^"]*)"/g, (whole, id: string) => (places.used.has(id) ? whole : ''));
}

/** The rules of each chapter: most chapters of a book have the same ones. */
class BookSheets {
	readonly #files: ReadonlyMap<string, Uint8Array>;
	readonly #known = new Map<string, StyleRules>();

	constructor(files: ReadonlyMap<string, Uint8Array>) {
		this.#files = files;
	}

	of(tree: XmlElement, path: string): StyleRules {
		const folder = path.replace(/[^/]*$/, '');
		const links = allOf(tree, 'link').filter(({ attributes: { rel = '' } }) => /^\s*stylesheet\s*$/i.test(rel));
		const sheets = links.map(({ attributes: { href = '' } }) => resolvePath(folder, decoded(href)));
		const own = allOf(tree, 'style').map(textIn);
		const key = JSON.stringify([sheets, own]);
		let rules = this.#known.get(key);
		if (rules === undefined) {
			rules = new StyleRules();
			for (const sheet of sheets) rules.add(new TextDecoder().decode(this.#files.get(sheet)));
			for (const css of own) rules.add(css);
			this.#known.set(key, rules);
		}
		return rules;
	}
}
