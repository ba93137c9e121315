import type { FileReader } from '@wayleave/files';
import type { FileKind } from '@wayleave/protocols/file-types';
import { version } from '../base/version.ts';
import type { Reason } from '../model/outcome.ts';
import type { PageReading, PageSource, ReadPage } from './read-page.ts';

/** A file that makes no document, with the reason of its outcome. */
export class UnreadableFileError extends Error {
	readonly reason: Reason;

	constructor(reason: Reason, message: string) {
		super(message);
		this.name = 'UnreadableFileError';
		this.reason = reason;
	}
}

/** A source whose body is a file as the site sent it. */
export type FileSource = Omit<PageSource, 'kind' | 'file'> & { readonly kind: FileKind };

export interface FileConverter {
	/** @throws UnreadableFileError */
	read(source: FileSource): Promise<PageReading>;
	close(): Promise<void>;
}

type LoadPackage = () => Promise<Pick<typeof import('@wayleave/files'), 'openFileReader'>>;

/** The package that reads files; a crawler works without it. */
const packageName = '@wayleave/files';

/** Says how to get the package. */
const howToReadFiles = (kind: FileKind): string =>
	`to read ${kind.toUpperCase()} files, install the package ${packageName}: npm install ${packageName}@${version}`;

/**
 * Reads files by way of plain HTML, which `read` turns into a document. The package and its process are loaded with the
 * first file.
 */
export function createFileConverter(
	read: ReadPage,
	onFull: (full: boolean) => void,
	load: LoadPackage = () => import('@wayleave/files'),
): FileConverter {
	let opening: Promise<FileReader | undefined> | undefined;
	return {
		async read({ kind, ...source }) {
			opening ??= openReader(load, onFull);
			const reader = await opening;
			if (reader === undefined) throw new UnreadableFileError('unsupported-type', howToReadFiles(kind));
			const { html, ...facts } = await reader.read(source.body, kind).catch(rethrow);
			const file = { kind, ...facts };
			return read({ ...source, kind: 'html', body: Buffer.from(html), contentType: 'text/html; charset=utf-8', file });
		},
		close: async () => (await opening)?.close(),
	};
}

/** Undefined where the package is not installed. */
async function openReader(load: LoadPackage, onFull: (full: boolean) => void): Promise<FileReader | undefined> {
	try {
		return (await load()).openFileReader({ onFull });
	} catch (error) {
		const { code, message } = error as { readonly code?: string; readonly message: string };
		if (code === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${packageName}'`)) return undefined;
		throw error;
	}
}

function rethrow(error: unknown): never {
	const { name, code, message } = error as { readonly name: string; readonly code?: Reason; readonly message: string };
	if (name === 'FileError' && code !== undefined) throw new UnreadableFileError(code, message);
	throw error;
}
