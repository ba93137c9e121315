import { parentPort } from 'node:worker_threads';
import { FileError, messageOf } from './errors.ts';
import type { FileReply, FileRequest } from './messages.ts';
import { readPdf } from './pdf/read-pdf.ts';
import type { FileContent } from './types.ts';

const send = (reply: FileReply): void => parentPort?.postMessage(reply);

const pageOf = (id: number) => () => send({ type: 'page', id });

const readers: Readonly<Record<FileRequest['kind'], (request: FileRequest) => Promise<FileContent>>> = {
	pdf: ({ bytes, limits, id }) => readPdf(bytes, limits, pageOf(id)),
	docx: async ({ bytes, limits }) => (await import('./office/read-docx.ts')).readDocx(bytes, limits),
	pptx: async ({ bytes, limits, id }) => (await import('./office/read-pptx.ts')).readPptx(bytes, limits, pageOf(id)),
	xlsx: async ({ bytes, limits, id }) => (await import('./office/read-xlsx.ts')).readXlsx(bytes, limits, pageOf(id)),
	epub: async ({ bytes, limits, id }) => (await import('./epub/read-epub.ts')).readEpub(bytes, limits, pageOf(id)),
	odt: async ({ bytes, limits }) => (await import('./open-document/read-odt.ts')).readOdt(bytes, limits),
};

async function reply(request: FileRequest): Promise<FileReply> {
	try {
		return { type: 'done', id: request.id, content: await readers[request.kind](request) };
	} catch (error) {
		const code = error instanceof FileError ? error.code : 'file-damaged';
		return { type: 'failed', id: request.id, code, message: messageOf(error) };
	}
}

parentPort?.on('message', (request: FileRequest) => {
	void reply(request).then(send);
});
// Loads pdf.js before the clock of the first file starts.
await import('pdfjs-dist/legacy/build/pdf.mjs');
send({ type: 'ready' });
