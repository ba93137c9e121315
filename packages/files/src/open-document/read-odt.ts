import { FileError } from '../errors.ts';
import { type HtmlHead, writeBlocks, writeDocument } from '../html.ts';
import { resolvePath } from '../office/ooxml.ts';
import { allOf, decodeXml, elementsOf, parseTree, textIn, within, type XmlElement } from '../office/xml.ts';
import { unpack } from '../office/zip.ts';
import type { FileContent, FileLimits } from '../types.ts';
import { bodyBlocks } from './body.ts';
import { formulaText } from './formula.ts';
import { readStyles } from './styles.ts';

/** Text is in these parts; an object of a formula is a part of its own. */
const isRead = /^(?:(?:content|styles|meta|META-INF\/manifest|[^/]+\/content)\.xml)$/;

/**
 * Reads the text of an OpenDocument text as an office program shows it. Comments, deletions, hidden and white text, scripts
 * and embedded objects are not read.
 *
 * @throws FileError
 */
export async function readOdt(bytes: Uint8Array, limits: FileLimits): Promise<FileContent> {
	const parts = unpack(bytes, (name) => isRead.test(name), limits.size << 20);
	const tree = (part: string): XmlElement => parseTree(decodeXml(parts.get(part) ?? new Uint8Array()), { part });
	// ODF part 2 §3.4: encrypted files are listed with what decrypts them, or are all in one.
	if (allOf(tree('META-INF/manifest.xml'), 'manifest:encryption-data').length > 0)
		throw new FileError('file-encrypted', 'the file needs a password');
	if (!parts.has('content.xml')) throw new FileError('file-damaged', 'the file has no text: content.xml is missing');
	const content = tree('content.xml');
	const text = within(content, 'office:document-content', 'office:body', 'office:text');
	if (text === undefined) throw new FileError('file-damaged', 'content.xml holds no text document');
	const styles = readStyles([tree('styles.xml'), content]);
	const body = bodyBlocks(text, styles, (object) => {
		const part = `${resolvePath('', object)}/content.xml`;
		return parts.has(part) ? formulaText(tree(part)) : '';
	});
	const heading = body.find((block) => block.kind === 'heading');
	const title = heading?.content.map((piece) => ('text' in piece ? piece.text : '')).join('');
	return { html: writeDocument(headOf(tree('meta.xml'), title, styles.language), writeBlocks(body)) };
}

function headOf(tree: XmlElement, heading: string | undefined, language: string | undefined): HtmlHead {
	const meta = elementsOf(within(tree, 'office:document-meta', 'office:meta'));
	const all = (name: string) => meta.filter((each) => each.name === name).map((each) => textIn(each).trim());
	const first = (name: string): string | undefined => all(name).find((text) => text !== '');
	const author = first('meta:initial-creator') ?? first('dc:creator');
	return {
		title: first('dc:title') ?? heading,
		language: first('dc:language') ?? language,
		...(author !== undefined && { authors: author.split(/\s*;\s*/) }),
		description: first('dc:description'),
		keywords: all('meta:keyword').join(', '),
		published: first('meta:creation-date'),
		modified: first('dc:date'),
	};
}
