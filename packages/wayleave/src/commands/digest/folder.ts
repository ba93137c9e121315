import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isFileName } from '../../shared/page-files.ts';

/** Files that are pages, by extension. */
const htmlForm = /\.(?:html?|xhtml)$/i;
const pageForm = /\.(?:html?|xhtml|md|markdown)$/i;

export interface ServedFile {
	/** The key under which the file is requested. */
	readonly key: string;
	readonly path: string;
	readonly isHtml: boolean;
}

/**
 * The pages of a folder of served files, in the order of their keys: HTML, Markdown, PDF and Word files. The error page
 * and what lies under a name that begins with a dot are left out.
 */
export function listPages(folder: string, { cleanUrls }: { readonly cleanUrls: boolean }): ServedFile[] {
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const pages = files
		.map((file) => file.split(sep))
		.filter((parts) => parts.every((part) => !part.startsWith('.')) && isPage(nameOf(parts)))
		.filter((parts) => parts.join('/') !== '404.html')
		.map((parts) => ({
			key: keyOf(parts, cleanUrls),
			path: join(folder, ...parts),
			isHtml: htmlForm.test(nameOf(parts)),
		}))
		.filter(({ path }) => statSync(path, { throwIfNoEntry: false })?.isFile());
	return pages.sort((a, b) => (a.key < b.key ? -1 : 1));
}

const isPage = (name: string): boolean => pageForm.test(name) || isFileName(name);

const nameOf = (parts: readonly string[]): string => parts.at(-1) ?? '';

/** `index.html` answers for its folder; with clean URLs other pages do without their extension. */
function keyOf(parts: readonly string[], cleanUrls: boolean): string {
	const folders = parts.slice(0, -1).map(encodeSegment);
	const name = nameOf(parts);
	const last = name === 'index.html' ? '' : encodeSegment(cleanUrls ? name.replace(htmlForm, '') : name);
	return `/${[...folders, last].join('/')}`;
}

function encodeSegment(name: string): string {
	return encodeURI(name).replace(/[?#]/g, encodeURIComponent);
}

/** The bytes that a folder serves under a key, or undefined where it has none. */
export function readServed(folder: string, key: string): Uint8Array | undefined {
	const path = pathOf(key);
	if (path === undefined) return undefined;
	for (const candidate of path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}.htm`]) {
		const file = join(folder, ...candidate.split('/'));
		if (statSync(file, { throwIfNoEntry: false })?.isFile()) return readFileSync(file);
	}
	return undefined;
}

/** The path of a key, decoded; undefined for one with a query or that would leave the folder. */
function pathOf(key: string): string | undefined {
	if (key.includes('?')) return undefined;
	try {
		const path = decodeURIComponent(key);
		const leaves = path.split(/[/\\]/).includes('..') || path.includes('\0');
		return leaves ? undefined : path;
	} catch {
		return undefined;
	}
}
