/** A type of file that `@wayleave/files` reads, and how to recognize it. */
interface FileType {
	readonly name: string;
	/** Media type by extension. */
	readonly extensions: Readonly<Record<string, string>>;
	/** Another media type in use for it. */
	readonly alsoSentAs?: string;
	/** The file that an archive of this type has; archives of the others state their media type in their first file. */
	readonly part?: string;
	/** With a password it is no archive, but in a compound file (MS-OFFCRYPTO §1.3.1). */
	readonly hasPasswords?: true;
}

const office = 'application/vnd.openxmlformats-officedocument';
const openDocument = 'application/vnd.oasis.opendocument';

/**
 * The one list of these types: requests, archives, manifests, publishing and help read it. A further type also needs a
 * reader in `@wayleave/files`.
 */
const fileTypes = {
	pdf: { name: 'PDF', extensions: { pdf: 'application/pdf' }, alsoSentAs: 'application/x-pdf' },
	docx: {
		name: 'DOCX',
		// Macros are not read.
		extensions: {
			docx: `${office}.wordprocessingml.document`,
			docm: 'application/vnd.ms-word.document.macroEnabled.12',
			dotx: `${office}.wordprocessingml.template`,
			dotm: 'application/vnd.ms-word.template.macroEnabled.12',
		},
		part: 'word/document.xml',
		hasPasswords: true,
	},
	pptx: {
		name: 'PPTX',
		extensions: {
			pptx: `${office}.presentationml.presentation`,
			pptm: 'application/vnd.ms-powerpoint.presentation.macroEnabled.12',
			ppsx: `${office}.presentationml.slideshow`,
			ppsm: 'application/vnd.ms-powerpoint.slideshow.macroEnabled.12',
			potx: `${office}.presentationml.template`,
			potm: 'application/vnd.ms-powerpoint.template.macroEnabled.12',
		},
		part: 'ppt/presentation.xml',
		hasPasswords: true,
	},
	xlsx: {
		name: 'XLSX',
		extensions: {
			xlsx: `${office}.spreadsheetml.sheet`,
			xlsm: 'application/vnd.ms-excel.sheet.macroEnabled.12',
			xltx: `${office}.spreadsheetml.template`,
			xltm: 'application/vnd.ms-excel.template.macroEnabled.12',
		},
		part: 'xl/workbook.xml',
		hasPasswords: true,
	},
	epub: { name: 'EPUB', extensions: { epub: 'application/epub+zip' }, part: 'META-INF/container.xml' },
	odt: { name: 'ODT', extensions: { odt: `${openDocument}.text`, ott: `${openDocument}.text-template` } },
} as const satisfies Readonly<Record<string, FileType>>;

/** Formats that the optional package `@wayleave/files` reads. */
export type FileKind = keyof typeof fileTypes;

const all: readonly (readonly [FileKind, FileType])[] = Object.entries(fileTypes) as [FileKind, FileType][];
const kindByMediaType: ReadonlyMap<string, FileKind> = new Map(
	all.flatMap(([kind, { extensions, alsoSentAs }]) =>
		[...Object.values(extensions), ...(alsoSentAs === undefined ? [] : [alsoSentAs])].map(
			(type) => [type.toLowerCase(), kind] as const,
		),
	),
);
const mediaTypeByExtension: ReadonlyMap<string, string> = new Map(
	all.flatMap(([, { extensions }]) => Object.entries(extensions)),
);

export const isFileKind = (kind: string): kind is FileKind => Object.hasOwn(fileTypes, kind);

/** The format of a media type, whose parameters are ignored; undefined for all that is not read. */
export const kindOfMediaType = (type: string): FileKind | undefined =>
	kindByMediaType.get(type.replace(/[\s;].*/s, '').toLowerCase());

/** The media type that the extension of a file stands for. */
export const mediaTypeOfFile = (path: string): string | undefined =>
	mediaTypeByExtension.get((/\.([a-z0-9]+)$/i.exec(path)?.[1] ?? '').toLowerCase());

/** The format of an archive that has a file of this name. */
export const kindOfPart = (name: string): FileKind | undefined => all.find(([, { part }]) => part === name)?.[0];

/** The names of files that only archives of one format have. */
export const knownParts: readonly string[] = all.flatMap(([, { part }]) => part ?? []);

/** Whether a compound file can be an encrypted file of this format. */
export const mayBeCompound = (kind: FileKind): boolean => (fileTypes[kind] as FileType).hasPasswords === true;

/** For people: `PDF, DOCX and EPUB`. */
export function fileTypeNames(): string {
	const names = all.map(([, { name }]) => name);
	return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
