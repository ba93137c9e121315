import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import { fieldsOf } from '../model/fields.ts';
import type { Result } from '../model/result.ts';
import { isPutOff } from '../response/classify.ts';
import { fileName } from './file-name.ts';
import type { LineOptions } from './line.ts';
import { partFile } from './part-file.ts';
import type { Sink } from './types.ts';

/**
 * A folder of Markdown files with front matter, one for each page, named after its URL. A file appears as a whole or
 * not at all; written again, it is the same file. Pages that have no document any more disappear: they are gone or have
 * moved, or the site no longer lets them be read or kept.
 */
export function markdownSink(directory: string, options: Pick<LineOptions, 'fields'> = {}): Sink {
	const root = resolve(directory);
	let part: string;
	let folder: number | undefined;
	const inode = () => stat(root).then(({ ino }) => ino);
	return {
		name: `markdown ${root}`,
		persistent: true,
		holds: () =>
			readdir(root).then(
				(names) => names.length > 0,
				() => false,
			),
		async open() {
			await mkdir(root, { recursive: true });
			folder = await inode();
			part = await partFile(join(root, '.page'));
		},
		async write(results) {
			if ((await inode().catch(() => undefined)) !== folder)
				throw new CrawlError('sink-failed', `${directory} was removed during the crawl: run the command again`);
			for (const result of results) {
				const file = join(root, fileName(result.url));
				if (result.document !== undefined) await writeWhole(file, formatMarkdown(result, options), part);
				else if (!isPutOff(result)) await rm(file, { force: true });
			}
			// Names give the place of each file, so the position only says that the folder exists.
			return 'begun';
		},
		async forget(urls) {
			for (const url of urls) await rm(join(root, fileName(url)), { force: true });
		},
		async close() {},
	};
}

async function writeWhole(file: string, text: string, part: string): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	try {
		await writeFile(part, text);
		await rename(part, file);
	} catch (error) {
		// Such as a disk that is full: half a file is of no use, and takes room.
		await rm(part, { force: true }).catch(() => {});
		throw error;
	}
}

/** Characters valid in JSON that YAML readers refuse or take for line ends. */
const notInYaml = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;
const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The document as Markdown under a YAML head. JSON strings are YAML strings too, but for a few characters. */
export function formatMarkdown(result: Result, { fields: reader }: Pick<LineOptions, 'fields'> = {}): string {
	const { url, document, policy, page } = result;
	if (document === undefined) throw new Error(`${url} has no document`);
	const { source, identity, content } = document;
	const members = {
		title: page?.title ?? identity.title,
		url: source.url,
		...(source.url !== url && { requested_url: url }),
		canonical_url: source.canonical_url,
		description: identity.description,
		language: identity.language,
		content_type: identity.content_type,
		author: page?.author,
		published: page?.published,
		modified: page?.modified,
		fetched_at: source.fetched_at,
		obligations: policy?.obligations,
		limits: policy?.limits,
		fields: reader && fieldsOf(result, reader),
	};
	const head = Object.entries(members)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `${name}: ${JSON.stringify(value).replace(notInYaml, escaped)}\n`);
	return `---\n${head.join('')}---\n\n${content.markdown.trimEnd()}\n`;
}
