import { FileError } from '../errors.ts';
import type { HtmlHead } from '../html.ts';
import { resolvePath } from '../office/ooxml.ts';
import { allOf, elementsOf, textIn, within, type XmlElement } from '../office/xml.ts';

/** The package document of a book (EPUB 3.3 §5). */
export interface Book {
	readonly head: HtmlHead;
	/** Paths of the content documents in reading order; those outside of it last. */
	readonly chapters: readonly string[];
}

/** The path of the package document (EPUB 3.3 §4.2.6.3). @throws FileError */
export function packagePath(container: XmlElement): string {
	const [root] = allOf(container, 'rootfile');
	const path = root?.attributes['full-path'];
	if (path === undefined) throw new FileError('file-damaged', 'META-INF/container.xml names no package document');
	return resolvePath('', decoded(path));
}

export function readBook(tree: XmlElement, path: string): Book {
	const book = elementsOf(tree)[0];
	const folder = path.replace(/[^/]*$/, '');
	const manifest = elementsOf(within(book, 'manifest'), 'item').map(({ attributes: { id, href, ...others } }) => ({
		id,
		path: resolvePath(folder, decoded(href ?? '')),
		type: others['media-type'] ?? '',
	}));
	const byId = new Map(manifest.map((item) => [item.id, item]));
	const spine = elementsOf(within(book, 'spine'), 'itemref');
	const isLinear = ({ attributes }: XmlElement): boolean => attributes.linear !== 'no';
	const ordered = [...spine.filter(isLinear), ...spine.filter((item) => !isLinear(item))];
	const chapters = ordered.flatMap(({ attributes: { idref } }) => {
		const item = byId.get(idref);
		return item !== undefined && /html|dtbook/i.test(item.type) ? [item.path] : [];
	});
	return {
		head: headOf(elementsOf(within(book, 'metadata'))),
		chapters: [...new Set(chapters)],
	};
}

function headOf(given: readonly XmlElement[]): HtmlHead {
	// Some books of version 2 have their metadata in a further element.
	const metadata = given.flatMap((each) => (/-metadata$/.test(each.name) ? elementsOf(each) : [each]));
	const all = (name: string): XmlElement[] =>
		metadata.filter((each) => each.name === name && textIn(each).trim() !== '');
	const first = (name: string): string | undefined => all(name).map((each) => textIn(each).trim())[0];
	const authors = all('creator').filter((each) => isAuthor(each, metadata));
	const dates = all('date').map((each) => ({ event: each.attributes['opf:event'], date: textIn(each).trim() }));
	const dated = dates.filter(({ date }) => /^\d{4}(?:-\d\d|$)/.test(date));
	const modified = all('meta').find(({ attributes }) => attributes.property === 'dcterms:modified');
	return {
		title: first('title'),
		language: first('language'),
		authors: authors.map((each) => textIn(each).trim()),
		description: first('description')?.replace(/<[^>]*>/g, ' '),
		keywords: all('subject')
			.map((each) => textIn(each).trim())
			.join(', '),
		published: dated.find(({ event }) => event === undefined || event === 'publication')?.date,
		modified:
			modified === undefined ? dated.find(({ event }) => event === 'modification')?.date : textIn(modified).trim(),
	};
}

/** Editors, translators and others are creators with another role (MARC relators). */
function isAuthor({ attributes }: XmlElement, metadata: readonly XmlElement[]): boolean {
	const refined = metadata.find(
		(each) => each.attributes.property === 'role' && each.attributes.refines === `#${attributes.id}`,
	);
	const role = attributes['opf:role'] ?? (refined === undefined ? 'aut' : textIn(refined).trim());
	return role === 'aut';
}

/** Methods that only disguise fonts (EPUB 3.3 §4.3), and an older one of Adobe. */
const disguise = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;

/** The files of a book that are encrypted, fonts left aside. */
export function encryptedFiles(encryption: XmlElement): Set<string> {
	const files = allOf(encryption, 'EncryptedData').flatMap((data) => {
		const method = within(data, 'EncryptionMethod')?.attributes.Algorithm ?? '';
		const uri = within(data, 'CipherData', 'CipherReference')?.attributes.URI;
		return uri === undefined || disguise.test(method) ? [] : [resolvePath('', decoded(uri))];
	});
	return new Set(files);
}

/** Paths in attributes are URLs. */
export function decoded(reference: string): string {
	try {
		return decodeURIComponent(reference);
	} catch {
		return reference;
	}
}
