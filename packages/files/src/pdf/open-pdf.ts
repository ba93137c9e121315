import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { FileError, messageOf } from '../errors.ts';
import { interpretPage } from './graphics.ts';
import { shrinkPictures } from './pictures.ts';
import { type LinkArea, segmentsOf } from './segments.ts';
import type { StructNode } from './tagged.ts';
import type { PdfFont } from './typeface.ts';
import type { Glyph, PageMarks, Segment } from './types.ts';

/** One page of a file, before anything is known of the others. */
export interface SourcePage extends Pick<PageMarks, 'rules' | 'dots' | 'images' | 'hidden'> {
	readonly number: number;
	readonly width: number;
	readonly height: number;
	readonly segments: readonly Segment[];
	readonly tree?: StructNode;
}

type Viewport = ReturnType<PDFPageProxy['getViewport']>;
type OptionalContent = Awaited<ReturnType<PDFDocumentProxy['getOptionalContentConfig']>>;

async function loadPdfjs() {
	const { warn, log } = console;
	// On import it reports that it cannot draw here, which it need not.
	console.warn = console.log = () => {};
	try {
		return await import('pdfjs-dist/legacy/build/pdf.mjs');
	} finally {
		Object.assign(console, { warn, log });
	}
}

/** @throws FileError */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
	const { getDocument } = await loadPdfjs();
	const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
	const data = new Uint8Array(bytes);
	shrinkPictures(data);
	const folder = (name: string) => `${join(home, name)}${sep}`;
	try {
		return await getDocument({
			data,
			cMapUrl: folder('cmaps'),
			cMapPacked: true,
			standardFontDataUrl: folder('standard_fonts'),
			isEvalSupported: false,
			disableFontFace: true,
			useSystemFonts: false,
			enableXfa: false,
			// Of a picture, what it covers is known, and nothing is decoded but those that are small, and part of the text.
			maxImageSize: 64 * 64,
			fontExtraProperties: true,
			verbosity: 0,
		}).promise;
	} catch (error) {
		const { name } = (error ?? {}) as { name?: string };
		if (name === 'PasswordException') throw new FileError('file-encrypted', 'the PDF needs a password');
		throw new FileError('file-damaged', `the PDF cannot be opened: ${messageOf(error)}`);
	}
}

/** The visible text of a page. */
export async function readPage(pdf: PDFDocumentProxy, number: number, layers: OptionalContent): Promise<SourcePage> {
	const { OPS, AnnotationMode } = await loadPdfjs();
	const page = await pdf.getPage(number);
	try {
		const operators = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE });
		const interpret = ({ transform, width, height }: Viewport) =>
			interpretPage({
				operators,
				names: namesOf(OPS),
				transform: transform as unknown as [number, number, number, number, number, number],
				width,
				height,
				font: (name) => fontOf(page, name),
				isShown: (group) => layers === null || group === null || group === undefined || isVisible(layers, group),
			});
		let viewport = page.getViewport({ scale: 1 });
		let marks = interpret(viewport);
		const turn = turnOf(marks.glyphs);
		if (turn !== 0) {
			viewport = page.getViewport({ scale: 1, rotation: (page.rotate + turn) % 360 });
			marks = interpret(viewport);
		}
		const links = await linksOf(pdf, page, viewport);
		const tree = (await page.getStructTree()) as StructNode | null;
		return {
			number,
			width: viewport.width,
			height: viewport.height,
			segments: segmentsOf(marks.glyphs, links, marks.rules),
			rules: marks.rules,
			dots: marks.dots,
			...(tree !== null && { tree }),
			images: marks.images,
			hidden: marks.hidden,
		};
	} finally {
		page.cleanup();
	}
}

/** Degrees by which a page is turned so that most of its text runs from left to right. */
function turnOf(glyphs: readonly Glyph[]): number {
	const counts = new Map<number, number>();
	for (const { turned = 0 } of glyphs) {
		// Tenths of a radian, clockwise: a quarter is 16.
		const quarter = Math.round(turned / 16);
		const degrees = (360 - quarter * 90) % 360;
		counts.set(degrees, (counts.get(degrees) ?? 0) + 1);
	}
	const [most] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
	return most?.[0] ?? 0;
}

let names: Record<number, string> | undefined;

function namesOf(operations: Readonly<Record<string, number>>): Record<number, string> {
	names ??= Object.fromEntries(Object.entries(operations).map(([name, number]) => [number, name]));
	return names;
}

function fontOf(page: PDFPageProxy, name: string): PdfFont | undefined {
	try {
		return page.commonObjs.get(name) as PdfFont;
	} catch {
		// A font that could not be read.
		return undefined;
	}
}

function isVisible(layers: OptionalContent, group: unknown): boolean {
	try {
		return layers.isVisible(group as never) as unknown as boolean;
	} catch {
		return false;
	}
}

/** Areas of a page that lead somewhere: to a URL, or to a page of the file. */
async function linksOf(pdf: PDFDocumentProxy, page: PDFPageProxy, viewport: Viewport): Promise<LinkArea[]> {
	const annotations = (await page.getAnnotations()) as readonly {
		readonly subtype?: string;
		readonly url?: string;
		readonly dest?: unknown;
		readonly rect: readonly number[];
		readonly quadPoints?: ArrayLike<number> | null;
	}[];
	const links: LinkArea[] = [];
	for (const { subtype, url, dest, rect } of annotations) {
		if (subtype !== 'Link') continue;
		const href = url !== undefined && /^(?:https?|mailto):/i.test(url) ? url : await targetOf(pdf, dest);
		if (href === undefined) continue;
		const [x0, y0, x1, y1] = viewport.convertToViewportRectangle([...rect]) as [number, number, number, number];
		links.push({ href, box: [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)] });
	}
	return links;
}

async function targetOf(pdf: PDFDocumentProxy, dest: unknown): Promise<string | undefined> {
	if (dest === undefined || dest === null) return undefined;
	try {
		const target = typeof dest === 'string' ? await pdf.getDestination(dest) : (dest as unknown[]);
		const [place] = target ?? [];
		const index = typeof place === 'number' ? place : await pdf.getPageIndex(place as never);
		return `#page-${index + 1}`;
	} catch {
		return undefined;
	}
}
