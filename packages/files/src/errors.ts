/** Why a file ends without a document. */
export type FileErrorCode =
	/** A PDF without visible text: a scan, or hidden text. */
	| 'pdf-without-text'
	/** It needs a password, or a key of a shop. */
	| 'file-encrypted'
	/** Its owner does not permit copying its text. */
	| 'file-copy-forbidden'
	/** Damaged, cut off, or another format than it says. */
	| 'file-damaged'
	/** It needs more pages, time or memory than the limits allow. */
	| 'file-over-limit';

/** A file cannot be read; the message is for people. */
export class FileError extends Error {
	readonly code: FileErrorCode;

	constructor(code: FileErrorCode, message: string) {
		super(message);
		this.name = 'FileError';
		this.code = code;
	}
}

/** The message of an error, short and on one line. */
export const messageOf = (error: unknown): string =>
	(error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 200);
