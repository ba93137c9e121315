import { createHash } from 'node:crypto';

const longestSegment = 80;
/** Device names of Windows, with or without an extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * The path of a page below a folder: `https://h.test/docs/a?x=1` becomes `h.test/docs/a~1f2e3d4c.md`. Readable where
 * it can be; wherever two URLs might get the same name, on a disk that ignores case too, the digest of the URL is added.
 */
export function fileName(url: string): string {
	const { host, pathname, search } = new URL(url);
	const segments = pathname.slice(1).split('/');
	const last = segments.pop()!;
	const folders = segments.map((segment) => safe(segment).replace(/\.md$/, '-md'));
	const name = last === '' ? 'index' : safe(last);
	const asWritten = pathname.slice(1) + (last === '' ? 'index' : '');
	const plain = search === '' && [...folders, name].join('/') === asWritten;
	const ambiguous = !plain || last === 'index' || /\p{Lu}/u.test(pathname);
	return [safe(host.replace(':', '_')), ...folders, `${name}${ambiguous ? `~${digest(url)}` : ''}.md`].join('/');
}

/** One segment of a path that no file system reads as something else. */
function safe(segment: string): string {
	const kept = segment
		.replace(/[^\p{L}\p{N}._-]+/gu, '-')
		.replace(/^\.+|\.+$/g, '-')
		.slice(0, longestSegment);
	return kept === '' || reserved.test(kept) ? `-${kept}` : kept;
}

const digest = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 8);
