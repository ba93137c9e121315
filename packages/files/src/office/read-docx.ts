import { FileError, messageOf } from '../errors.ts';
import type { FileContent, FileLimits } from '../types.ts';

export async function readDocx(bytes: Uint8Array, _limits: FileLimits): Promise<FileContent> {
	const mammoth = (await import('mammoth')).default;
	try {
		const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) });
		return { html: value };
	} catch (error) {
		throw new FileError('file-damaged', `the DOCX file cannot be read: ${messageOf(error)}`);
	}
}
