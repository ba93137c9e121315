import { zipSync } from 'fflate';
import { FileError, messageOf } from '../errors.ts';
import { writeDocument } from '../html.ts';
import type { FileContent, FileLimits } from '../types.ts';
import { headOfOffice } from './core-properties.ts';
import { nestsTooDeep, withoutHiddenRuns } from './hidden-runs.ts';
import { readStyles } from './run-properties.ts';
import { unpack } from './zip.ts';

/** Text is in these parts; pictures, macros and embedded files stay packed. */
const isRead = (name: string): boolean =>
	/^(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/core\.xml|word\/[^/]+\.xml|word\/_rels\/[^/]+\.rels)$/.test(name);
const hasRuns = /^word\/(?:document|footnotes|endnotes)\.xml$/;
const mono = /mono|courier|consol|menlo|typewriter/i;

/** Names of styles by what they mean, beyond those that mammoth knows. */
const styleMap = [
	"p[style-name='Title'] => h1:fresh",
	"p[style-name='Source Code'] => pre:separator('\\n')",
	"p[style-name='HTML Preformatted'] => pre:separator('\\n')",
	"p[style-name='Preformatted Text'] => pre:separator('\\n')",
	"p[style-name='Quote'] => blockquote > p:fresh",
	"p[style-name='Intense Quote'] => blockquote > p:fresh",
	"p[style-name='Block Text'] => blockquote > p:fresh",
	"r[style-name='Verbatim Char'] => code",
	"r[style-name='Source Text'] => code",
];

/**
 * Reads the text of a DOCX file as Word shows it. Comments, deletions, hidden and white text, macros and embedded files
 * are not read.
 *
 * @throws FileError
 */
export async function readDocx(bytes: Uint8Array, limits: FileLimits): Promise<FileContent> {
	const parts = unpack(bytes, isRead, limits.size << 20);
	const textOf = (name: string) => new TextDecoder().decode(parts.get(name) ?? new Uint8Array());
	if (!parts.has('word/document.xml'))
		throw new FileError('file-damaged', 'the file has no text: word/document.xml is missing');
	const styles = textOf('word/styles.xml');
	if (nestsTooDeep(styles)) throw tooDeep('word/styles.xml');
	const known = readStyles(styles);
	for (const name of parts.keys()) {
		if (!hasRuns.test(name)) continue;
		const xml = textOf(name);
		if (nestsTooDeep(xml)) throw tooDeep(name);
		parts.set(name, new TextEncoder().encode(withoutHiddenRuns(xml, known)));
	}
	const body = await toHtml(zipSync(Object.fromEntries(parts), { level: 0 }));
	return { html: writeDocument(headOfOffice(textOf('docProps/core.xml'), languageOf(styles), body), body) };
}

const tooDeep = (name: string) => new FileError('file-over-limit', `${name} nests deeper than 400 elements`);

const languageOf = (styles: string): string | undefined =>
	/<w:lang\b[^>]*\bw:val="([A-Za-z-]{2,20})"/.exec(styles)?.[1];

async function toHtml(packed: Uint8Array): Promise<string> {
	const { default: mammoth } = await import('mammoth');
	try {
		const { value } = await mammoth.convertToHtml(
			{ buffer: Buffer.from(packed) },
			{
				styleMap,
				ignoreEmptyParagraphs: true,
				// Pictures stay in the file; the text that stands for one is read.
				convertImage: mammoth.images.imgElement(async () => ({ src: '#' })),
				transformDocument: (document: DocxNode) => withCode(document),
			},
		);
		return value;
	} catch (error) {
		throw new FileError('file-damaged', `the DOCX file cannot be read: ${messageOf(error)}`);
	}
}

interface DocxNode {
	readonly type: string;
	readonly children?: readonly DocxNode[];
	readonly font?: string | null;
	readonly styleName?: string | null;
}

/** A paragraph whose text has one width is a line of code. */
function withCode(node: DocxNode): DocxNode {
	const children = node.children?.map(withCode);
	const changed = children === undefined ? node : { ...node, children };
	if (node.type !== 'paragraph' || children === undefined || children.length === 0) return changed;
	const isCode = children.every(({ type, font }) => type === 'run' && mono.test(font ?? ''));
	return isCode && !/heading/i.test(node.styleName ?? '') ? { ...changed, styleName: 'Source Code' } : changed;
}
