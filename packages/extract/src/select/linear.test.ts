import { describe, expect, it } from 'vitest';
import { extract } from '../extract.ts';

// How often strings are searched, split and matched grows with the work done: twice the page, about twice the calls.
const counted = ['match', 'replace', 'split'] as const;
const countedLists = ['indexOf', 'includes', 'splice'] as const;

function callsOf(work: () => void): number {
	let calls = 0;
	const restore: (() => void)[] = [];
	const count = (target: object, name: string): void => {
		const original = Reflect.get(target, name) as (...args: unknown[]) => unknown;
		Reflect.set(target, name, function counted(this: unknown, ...args: unknown[]) {
			calls++;
			// A search costs as much as the text or the list is long.
			if (typeof this === 'string' || Array.isArray(this)) calls += this.length;
			return Reflect.apply(original, this, args);
		});
		restore.push(() => Reflect.set(target, name, original));
	};
	for (const name of counted) count(String.prototype, name);
	for (const name of countedLists) count(Array.prototype, name);
	try {
		work();
	} finally {
		for (const undo of restore) undo();
	}
	return calls;
}

const pages: Record<string, (n: number) => string> = {
	'paragraphs and links': (n) => '<p>Some words about a thing, and <a href="/x">a link</a> to it.</p>'.repeat(n),
	'nothing but links': (n) => `<ul>${'<li><a href="/x">entry</a></li>'.repeat(n)}</ul>`,
	'bare text and line breaks': (n) => `<div>${'words here<br><br>'.repeat(n)}</div>`,
	'unclosed formatting': (n) => '<p><b><i>x'.repeat(n),
	'tables never closed': (n) => '<table><tr><td>x'.repeat(n),
	'content astray in a table': (n) => `<table>${'<div>x</div>'.repeat(n)}</table>`,
	'deep nesting': (n) => `${'<div>'.repeat(n)}text${'</div>'.repeat(n)}`,
	'many classes': (n) => '<div class="post-body main_content related"><span>x y z</span></div>'.repeat(n),
	'hidden parts': (n) => '<div hidden><p>one two three</p></div>'.repeat(n),
};

describe('twice the page costs about twice the work', () => {
	for (const [title, page] of Object.entries(pages)) {
		it(title, { timeout: 120_000 }, () => {
			const once = callsOf(() => extract(page(400), 'https://a.example/b'));
			const twice = callsOf(() => extract(page(800), 'https://a.example/b'));
			expect(twice / once).toBeLessThan(2.6);
		});
	}
});

it('a page of 100,000 nodes and a megabyte in one attribute', { timeout: 120_000 }, () => {
	const html = `<div data-x="${'a '.repeat(500_000)}">${'<p>Some words here.</p>'.repeat(50_000)}</div>`;
	expect(extract(html, 'https://a.example/b').text.length).toBeGreaterThan(0);
});
