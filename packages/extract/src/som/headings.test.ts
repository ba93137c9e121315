import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { htmlToSom } from './to-som.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const fixtures = new URL('../../fixtures/', import.meta.url);
const plain = (html: string) => html.replace(/\s+/g, ' ').trim();

it.each(readdirSync(fixtures))('without a budget every heading of %s is in the document', (name) => {
	const html = readFileSync(new URL(`${name}/source.html`, fixtures), 'utf8');
	const som = htmlToSom(html, 'https://example.com/', { sha256, budget: 'none' });
	const found = som.regions.flatMap(({ elements }) =>
		elements.flatMap(({ role, text }) => (role === 'heading' ? [text!] : [])),
	);
	// Headings without markup inside: what is written is what is read.
	const visible = html.replace(/<(script|style|template|noscript|svg|head|title)\b[\s\S]*?<\/\1>/gi, '');
	for (const [, level, text] of visible.matchAll(/<h([1-6])(?:\s+id="[^"]*")?>([^<&]+)<\/h\1>/g)) {
		expect(found, `h${level}`).toContain(plain(text!));
	}
});
