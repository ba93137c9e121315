import { createHash } from 'node:crypto';

/** In bytes, as file systems count: 255 with the digest and `.md` is the most that they take. */
const maxSegmentLength = 160;
/** In characters: more is of no use to anybody. */
const maxReadable = 80;
/**
 * Of a name with its folders, in bytes: no system takes any length, and a site must not be able to choose one that ours
 * refuses.
 */
const maxNameLength = 512;
/** Device names of Windows, with or without an extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Names of files: a folder with such a name would collide with one. */
const likeFile = /\.md$/i;

/**
 * The path of a page below a folder: `https://h.test/docs/a?x=1` becomes `h.test/docs/a~1f2e3d4c5b6a7980.md`. Readable
 * where it can be, in every script; wherever two URLs might get the same name, on a disk that ignores case too, the
 * digest of the URL is added. A port, and http, are another site: `h.test_8080`, `h.test_80`.
 */
export function fileName(url: string): string {
	const { pathname, search } = new URL(url);
	const site = siteFolder(new URL(url));
	const segments = pathname.slice(1).split('/');
	const last = segments.pop() ?? '';
	const folders = segments.map((segment) => safe(segment).replace(likeFile, '-md'));
	const name = last === '' ? 'index' : safe(last);
	const asWritten = pathname.slice(1) + (last === '' ? 'index' : '');
	const plain = site.plain && search === '' && [...folders, name].join('/') === asWritten;
	const ambiguous = !plain || last === 'index' || /\p{Lu}/u.test(pathname);
	const path = [site.name, ...folders, `${name}${ambiguous ? `~${digest(url)}` : ''}.md`].join('/');
	return Buffer.byteLength(path) <= maxNameLength ? path : `${site.name}/${safe(pathname)}~${digest(url)}.md`;
}

/** @returns `plain` where no other site has the same name */
function siteFolder({ protocol, hostname, port }: URL): { name: string; plain: boolean } {
	const host = safe(hostname);
	const shown = port === '' && protocol === 'http:' ? '80' : port;
	const plain = host === hostname && !/_\d+$/.test(host) && (protocol === 'http:' || port === '');
	return { name: shown === '' ? host : `${host}_${shown}`, plain };
}

/** One segment of a path that no file system reads as something else. */
function safe(segment: string): string {
	const kept = shorten(readable(segment).replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')).replace(/^\.+|\.+$/g, '-');
	return kept === '' || reserved.test(kept) ? `-${kept}` : kept;
}

/** As a person would write it: `%E4%BA%AC` is 京. What is no UTF-8 stays as it is. */
function readable(segment: string): string {
	try {
		return decodeURIComponent(segment).normalize('NFC');
	} catch {
		return segment;
	}
}

function shorten(text: string): string {
	let kept = '';
	let bytes = 0;
	for (const char of [...text].slice(0, maxReadable)) {
		bytes += Buffer.byteLength(char);
		if (bytes > maxSegmentLength) break;
		kept += char;
	}
	return kept;
}

/** Long enough that a million pages of one name have a name each. */
const digest = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 16);
