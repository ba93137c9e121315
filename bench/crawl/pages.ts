import { readdirSync, readFileSync } from 'node:fs';
import { loadPages } from '../../packages/extract/scripts/pages.ts';

const wanted = 49_000;
const mostDifferent = 200;
const fixtures = new URL('../../packages/extract/fixtures/', import.meta.url);

/** Pages of about 49 kB: real ones where they lie beside the checkout, else made up of our own fixtures. */
export function basePages(): { readonly html: string; readonly url: string }[] {
	const real = [...loadPages('article'), ...loadPages('mixed')]
		.map((page) => ({ html: page.html(), url: page.url }))
		// Every contestant is to find the same pages: none of these forbids it, or sends on elsewhere.
		.filter(({ html }) => !/<meta[^>]+(?:name=["']?robots|http-equiv=["']?refresh)/i.test(html));
	if (real.length === 0) return madeUp();
	const distance = ({ html }: { html: string }) => Math.abs(Buffer.byteLength(html) - wanted);
	return real.sort((a, b) => distance(a) - distance(b)).slice(0, mostDifferent);
}

function madeUp() {
	const bodies = readdirSync(fixtures).map((name) => readFileSync(new URL(`${name}/source.html`, fixtures), 'utf8'));
	return Array.from({ length: 20 }, (_, first) => {
		let body = '';
		for (let at = first; body.length < wanted; at++)
			body += bodies[at % bodies.length]!.replace(/^[\s\S]*<body[^>]*>/i, '');
		const html = `<!doctype html><html lang="en"><head><title>Made up ${first}</title></head><body>${body}</body></html>`;
		return { html, url: `https://fixtures.example/${first}/` };
	});
}
