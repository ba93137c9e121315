import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isHidden } from '../dom/hidden.ts';
import type { Element } from '../dom/node.ts';
import { parseHtml } from '../dom/parse.ts';
import { textContent, walk } from '../dom/walk.ts';
import { toMarkdown } from '../markdown/index.ts';
import { type Metadata, readMetadata } from '../metadata/index.ts';

const root = new URL('../../fixtures/', import.meta.url);

/** A page of our own writing and what must come of it: a folder under `fixtures/`. */
export interface Fixture {
	readonly name: string;
	readonly html: string;
	/** Undefined until the fixture is blessed. */
	readonly markdown: string | undefined;
	readonly metadata: Expected | undefined;
}

/** What the page says about itself. */
export type Expected = Omit<Metadata, 'baseUrl'>;

export function fixtureUrl(name: string): string {
	return `https://fixtures.example/${name}/`;
}

/** What becomes of a fixture's page now: its content as Markdown, and what it says about itself. */
export function convert(name: string, html: string): { markdown: string; metadata: Expected } {
	const document = parseHtml(html);
	const content = find(document.body, 'main') ?? find(document.body, 'article') ?? document.body;
	const { baseUrl, ...metadata } = readMetadata(document, fixtureUrl(name), { mainText: () => textContent(content) });
	const markdown = toMarkdown([content], { baseUrl, skip: isHidden });
	return { markdown: `${markdown}\n`, metadata: JSON.parse(JSON.stringify(metadata)) };
}

function find(root: Element, tag: string): Element | undefined {
	let found: Element | undefined;
	walk(root, (node) => {
		if (node.kind === 'element' && node.tag === tag) found ??= node;
		return found === undefined;
	});
	return found;
}

export function readFixtures(): Fixture[] {
	return readdirSync(root)
		.toSorted()
		.map((name) => {
			const metadata = read(name, 'expected.json');
			return {
				name,
				html: read(name, 'source.html') ?? '',
				markdown: read(name, 'expected.md'),
				metadata: metadata === undefined ? undefined : JSON.parse(metadata),
			};
		});
}

/** Writes what comes out now as what must come out: read it before it is committed. */
export function blessFixture(name: string, html: string): void {
	const { markdown, metadata } = convert(name, html);
	mkdirSync(new URL(`${name}/`, root), { recursive: true });
	write(name, 'source.html', html);
	write(name, 'expected.md', markdown);
	write(name, 'expected.json', `${JSON.stringify(metadata, null, '\t')}\n`);
}

function read(name: string, file: string): string | undefined {
	const path = fileURLToPath(new URL(`${name}/${file}`, root));
	return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function write(name: string, file: string, content: string): void {
	writeFileSync(new URL(`${name}/${file}`, root), content);
}
