import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { extract } from '../extract.ts';
import type { Metadata } from '../metadata/index.ts';

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

/** What becomes of a fixture's page now, as for users: its content as Markdown, and what it says about itself. */
export function convert(name: string, html: string): { markdown: string; metadata: Expected } {
	const { url, contentType, text, markdown, ...metadata } = extract(html, fixtureUrl(name));
	return { markdown: `${markdown}\n`, metadata: JSON.parse(JSON.stringify(metadata)) };
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
