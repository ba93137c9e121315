import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { FileError, messageOf } from '../errors.ts';
import { interpretPage } from './graphics.ts';
import { type LinkArea, segmentsOf } from './segments.ts';
import type { StructNode } from './tagged.ts';
import type { PdfFont } from './typeface.ts';
import type { Rule, Segment } from './types.ts';

/** One page of a file, before anything is known of the others. */
export interface SourcePage {
	readonly number: number;
	readonly width: number;
	readonly height: number;
	readonly segments: readonly Segment[];
	readonly rules: readonly Rule[];
	readonly tree?: StructNode;
	readonly images: number;
	readonly hidden: number;
}

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
	const folder = (name: string) => `${join(home, name)}${sep}`;
	try {
		return await getDocument({
			data: new Uint8Array(bytes),
			cMapUrl: folder('cmaps'),
			cMapPacked: true,
			standardFontDataUrl: folder('standard_fonts'),
			isEvalSupported: false,
			disableFontFace: true,
			useSystemFonts: false,
			enableXfa: false,
			// Pictures are not decoded: one of more than a pixel is too large.
			maxImageSize: 1,
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
		const viewport = page.getViewport({ scale: 1 });
		const operators = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE });
		const marks = interpretPage({
			operators,
			names: namesOf(OPS),
			transform: viewport.transform as unknown as [number, number, number, number, number, number],
			width: viewport.width,
			height: viewport.height,
			font: (name) => fontOf(page, name),
			isShown: (group) => layers === null || group === null || group === undefined || isVisible(layers, group),
		});
		const links = await linksOf(pdf, page);
		const tree = (await page.getStructTree()) as StructNode | null;
		return {
			number,
			width: viewport.width,
			height: viewport.height,
			segments: segmentsOf(marks.glyphs, links, marks.rules),
			rules: marks.rules,
			...(tree !== null && { tree }),
			images: marks.images,
			hidden: marks.hidden,
		};
	} finally {
		page.cleanup();
	}
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
async function linksOf(pdf: PDFDocumentProxy, page: PDFPageProxy): Promise<LinkArea[]> {
	const annotations = (await page.getAnnotations()) as readonly {
		readonly subtype?: string;
		readonly url?: string;
		readonly dest?: unknown;
		readonly rect: readonly number[];
		readonly quadPoints?: ArrayLike<number> | null;
	}[];
	const viewport = page.getViewport({ scale: 1 });
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
