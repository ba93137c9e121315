import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { mediaTypeOfFile } from '@wayleave/protocols/file-types';

const htmlForm = /\.(?:html?|xhtml)$/i;
/** Other documents that agents read beside PDF and office files; pictures do not count. */
const textForm = /\.(?:md|markdown|txt)$/i;
/** Files for machines, which are no documents. */
const machineFile = /^(?:robots2?\.txt|llms(?:-full)?\.txt|humans\.txt|ads\.txt|404\.html|CNAME)$|^\.well-known\//i;

/** The files of a folder as paths with `/`, in order. Names that begin with a dot are left out, `.well-known` is not. */
export function listFiles(folder: string): string[] {
	const files: string[] = [];
	const visit = (path: string) => {
		for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
			if (entry.name.startsWith('.') && entry.name !== '.well-known') continue;
			const inner = path === '' ? entry.name : `${path}/${entry.name}`;
			if (entry.isDirectory()) visit(inner);
			else if (entry.isFile() || (entry.isSymbolicLink() && isFile(join(folder, inner)))) files.push(inner);
		}
	};
	visit('');
	return files.sort();
}

function isFile(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

export type FileKind = 'page' | 'document' | 'other';

/** Whether a file is a page, another document, or nothing that a manifest lists. */
export function kindOf(file: string): FileKind {
	if (machineFile.test(file) || file.endsWith('/404.html')) return 'other';
	if (htmlForm.test(file)) return 'page';
	return textForm.test(file) || mediaTypeOfFile(file) !== undefined ? 'document' : 'other';
}

/** The request target of a file: `index.html` answers for its folder; with clean URLs pages do without `.html`. */
export function keyOf(file: string, cleanUrls: boolean): string {
	const parts = file.split('/');
	const name = parts.pop() ?? '';
	const last = name === 'index.html' ? '' : cleanUrls ? name.replace(/\.html$/i, '') : name;
	return `/${[...parts, last].map(encodeSegment).join('/')}`;
}

/** Representations stand beside their page: `a.html` has `a.som.json` and `a.md`. */
export function companionsOf(file: string): { readonly som: string; readonly markdown: string } {
	const stem = file.replace(/\.html$/, '');
	return { som: `${stem}.som.json`, markdown: `${stem}.md` };
}

export function pathOf(file: string): string {
	return `/${file.split('/').map(encodeSegment).join('/')}`;
}

/** As a URL parser leaves it, so that keys are what clients request. */
function encodeSegment(name: string): string {
	return encodeURI(name).replace(/[?#]/g, encodeURIComponent);
}
