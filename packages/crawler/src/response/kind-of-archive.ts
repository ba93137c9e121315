import { type FileKind, kindOfMediaType, kindOfPart, knownParts } from '@wayleave/protocols/file-types';

/** Bytes at the end of an archive in which its list of names is searched. */
const listSize = 1 << 20;

/** The format of a ZIP archive, by the media type in its first file (OCF §4.3, ODF part 2 §3.3) or by a file that it lists. */
export function kindOfArchive(body: Uint8Array): FileKind | undefined {
	const archive = Buffer.from(body.buffer, body.byteOffset, body.length);
	return kindOfMediaType(statedInside(archive)) ?? kindOfPart(knownParts.find((part) => lists(archive, part)) ?? '');
}

/** The content of a first file with the name `mimetype` that is not compressed (APPNOTE.TXT §4.3.7). */
function statedInside(archive: Buffer): string {
	if (archive.length < 38 || archive.readUInt16LE(8) !== 0 || archive.toString('latin1', 30, 38) !== 'mimetype')
		return '';
	const start = 38 + archive.readUInt16LE(28);
	return archive.toString('latin1', start, start + Math.min(archive.readUInt32LE(18), 200)).trim();
}

/** Whether the list at the end of an archive has a file (APPNOTE.TXT §4.3.12). */
function lists(archive: Buffer, name: string): boolean {
	const list = archive.subarray(-listSize);
	for (let at = list.indexOf(name); at >= 0; at = list.indexOf(name, at + 1)) {
		const header = at - 46;
		if (header < 0 || list.readUInt32LE(header) !== 0x02014b50) continue;
		if (list.readUInt16LE(header + 28) === name.length) return true;
	}
	return false;
}
