/** Formats that this package reads. */
export type FileKind = 'pdf' | 'docx' | 'pptx' | 'xlsx' | 'epub' | 'odt';

export interface FileLimits {
	/** Pages of a PDF. */
	readonly pages: number;
	/** Seconds of processor time: four at first, and a tenth for each page that has been read, up to this. */
	readonly seconds: number;
	/** MiB of memory that the process may have. */
	readonly memory: number;
	/** MiB of a file, and of all that is unpacked from it. */
	readonly size: number;
}

export const defaultLimits: FileLimits = { pages: 2000, seconds: 60, memory: 1024, size: 128 };

/** What a file says, as plain HTML that an HTML reader turns into Markdown. */
export interface FileContent {
	/**
	 * A whole document: title, language, authors and dates in its head; headings, paragraphs, lists, tables, code, links
	 * and footnotes in its body. `<a id="page-3"></a>` is where page 3 begins.
	 */
	readonly html: string;
	/**
	 * Pages of a PDF, slides, sheets, or files in the reading order of a book: `<a id="slide-3"></a>`, `sheet-3` or
	 * `chapter-3` is where one begins. Absent for formats without.
	 */
	readonly pages?: number;
	/** Parts that are not in the document, in words: hidden slides and sheets, rows beyond the limit. */
	readonly leftOut?: readonly string[];
}
