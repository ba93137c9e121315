import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The gzip members of an archive of small pages, `http://NAME.test/p0` and so on. */
export function archiveMembers(name: string, pages: number): Buffer[] {
	return Array.from({ length: pages }, (_, page) => {
		const title = `Page ${page} of ${name}`;
		const html = `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>The tide rises twice a day.</p></main>`;
		const block = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${html}`;
		const fields = [
			...['WARC/1.0', 'WARC-Type: response', `WARC-Record-ID: <urn:uuid:${page}>`, 'WARC-Date: 2026-01-05T10:00:00Z'],
			...[`WARC-Target-URI: http://${name}.test/p${page}`, 'Content-Type: application/http; msgtype=response'],
			`Content-Length: ${Buffer.byteLength(block)}`,
		];
		return gzipSync(`${fields.join('\r\n')}\r\n\r\n${block}\r\n\r\n`);
	});
}

/** Writes `NAME.warc.gz`. */
export function writeArchive(folder: string, name: string, pages: number): void {
	writeFileSync(join(folder, `${name}.warc.gz`), Buffer.concat(archiveMembers(name, pages)));
}
