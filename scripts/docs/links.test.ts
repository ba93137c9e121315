import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString as textOf } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';

// Every relative link and anchor of a Markdown page leads somewhere, and so does every mention of a page in a source.

const root = fileURLToPath(new URL('../../', import.meta.url));
const repositoryUrl = 'https://github.com/wayleave/wayleave/blob/main/';

const filesIn = (folder: string, ending: RegExp): string[] =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.map((name) => posix.join(folder, name.split(sep).join('/')))
		.filter((name) => ending.test(name) && !/node_modules\/|\/dist\/|\/fixtures\//.test(name));

const packageReadmes = readdirSync(join(root, 'packages'))
	.filter((name) => name !== 'wayleave') // a copy of the README that `npm pack` leaves behind
	.map((name) => `packages/${name}/README.md`)
	.filter((file) => existsSync(join(root, file)));
const pages = [
	...readdirSync(root).filter((name) => name.endsWith('.md')),
	...['docs', 'bench', 'examples'].flatMap((folder) => filesIn(folder, /\.md$/)),
	...packageReadmes,
].sort();

interface Link {
	readonly line: number;
	readonly url: string;
}

interface Page {
	readonly links: readonly Link[];
	readonly anchors: ReadonlySet<string>;
}

const read = new Map<string, Page>();

function readPage(file: string): Page {
	const known = read.get(file);
	if (known !== undefined) return known;
	const links: Link[] = [];
	const anchors = new Set<string>();
	const visit = (node: Nodes): void => {
		const line = node.position?.start.line ?? 0;
		if (node.type === 'link' || node.type === 'image' || node.type === 'definition')
			links.push({ line, url: node.url });
		if (node.type === 'html')
			for (const [, id = ''] of node.value.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id);
		if (node.type === 'heading') anchors.add(freeAnchor(textOf(node), anchors));
		if ('children' in node) for (const child of node.children) visit(child);
	};
	const text = readFileSync(join(root, file), 'utf8');
	visit(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));
	const page = { links, anchors };
	read.set(file, page);
	return page;
}

/** The anchor that GitHub gives a heading: `Which SQLite?` is `which-sqlite`, a second one `which-sqlite-1`. */
function freeAnchor(heading: string, taken: ReadonlySet<string>): string {
	const anchor = heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '')
		.replaceAll(' ', '-');
	for (let count = 0; ; count++) {
		const name = count === 0 ? anchor : `${anchor}-${count}`;
		if (!taken.has(name)) return name;
	}
}

/** Why a link from a page leads nowhere; undefined where it is good. */
function problemOf(file: string, url: string): string | undefined {
	const inRepository = url.startsWith(repositoryUrl);
	if (!inRepository && /^[a-z][a-z0-9+.-]*:/i.test(url)) return undefined;
	const [path = '', anchor] = (inRepository ? url.slice(repositoryUrl.length) : url).split('#');
	const target = path === '' ? file : posix.join(inRepository ? '.' : dirname(file), decodeURI(path));
	if (!existsSync(join(root, target))) return `${target} does not exist`;
	if (anchor === undefined || !target.endsWith('.md')) return undefined;
	return readPage(target).anchors.has(anchor) ? undefined : `${target} has no heading #${anchor}`;
}

describe('links between pages', () => {
	it.each(pages)('%s', (file) => {
		const broken = readPage(file).links.flatMap(({ line, url }) => {
			const problem = problemOf(file, url);
			return problem === undefined ? [] : [`${file}:${line}: ${url}: ${problem}`];
		});
		expect(broken).toEqual([]);
	});

	it('finds a missing page and a missing heading', () => {
		expect(problemOf('docs/README.md', 'nowhere.md')).toBe('docs/nowhere.md does not exist');
		expect(problemOf('README.md', '#nowhere')).toBe('README.md has no heading #nowhere');
		expect(problemOf('README.md', `${repositoryUrl}docs/nowhere.md`)).toBe('docs/nowhere.md does not exist');
		expect(problemOf('README.md', 'https://example.com/nowhere')).toBeUndefined();
	});
});

it('pages that sources mention exist', () => {
	const sources = [
		...['packages', 'scripts', 'conformance', 'examples', 'bench'].flatMap((folder) =>
			filesIn(folder, /\.(?:ts|mjs|js|json)$/),
		),
	];
	const broken = sources
		.filter((file) => file !== 'scripts/docs/links.test.ts')
		.flatMap((file) =>
			[...readFileSync(join(root, file), 'utf8').matchAll(/(?<![\w./-])(?:\.\.\/)*(docs\/[a-z][\w/-]*\.md)\b/g)]
				.map(([, page = '']) => page)
				.filter((page) => !existsSync(join(root, page)))
				.map((page) => `${file}: ${page}`),
		);
	expect(broken).toEqual([]);
});
