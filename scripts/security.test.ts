import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

// docs/explanation/security.md names a test for each promise, and has a section for each kind of vulnerability in SECURITY.md.

const root = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const page = read('docs/explanation/security.md');
const section = (title: string) => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
const promises = section('What is promised')
	.split('\n')
	.filter((line) => line.startsWith('| ') && !line.startsWith('| promise |'));
const named = /`([\w./-]+\.test\.ts)`: "([^"]+)" \|$/;

describe('every promise in docs/explanation/security.md', () => {
	it('is found by this test', () => expect(promises.length).toBeGreaterThan(30));

	it.each(promises)('%s', (line) => {
		const [, file = '', title = ''] = named.exec(line) ?? [];
		expect(file, 'end the row with `FILE`: "TITLE"').not.toBe('');
		const titles = read(join('packages', file))
			.split('\n')
			.filter((text) => /^\s*(?:describe|it|test)(?:\.\w+)*[(<]|^\s*(?:'|`)[^'`]*(?:'|`),?$/.test(text));
		expect(
			titles.some((text) => text.includes(title)),
			`${file} has no test "${title}"`,
		).toBe(true);
	});
});

it('docs/explanation/security.md has a section for each kind of vulnerability in SECURITY.md, in its order', () => {
	const kinds = read('SECURITY.md')
		.split('\n')
		.filter((line) => line.startsWith('- '))
		.map((line) => line.slice(2));
	const sections = [...section('What is promised').matchAll(/^### (.+)$/gm)].map(([, title = '']) => title);
	expect(kinds.length).toBeGreaterThan(4);
	expect(sections.map((title) => title.toLowerCase())).toEqual(kinds.map((kind) => kind.toLowerCase()));
});
