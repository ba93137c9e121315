// Other libraries that find main content, each as: HTML and URL in, HTML of the content out.
// They live in bench/package.json, so that users never install them. A peer that fails on a page has found nothing.

export interface Peer {
	readonly name: string;
	content(html: string, url: string): Promise<string>;
}

/** linkedom needs the tags that a page may leave out. */
export const complete = (html: string): string =>
	/<body[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;

export async function loadPeers(names: readonly string[]): Promise<Peer[]> {
	const { Readability } = await import('@mozilla/readability');
	const { parseHTML } = await import('linkedom');
	const { JSDOM, VirtualConsole } = await import('jsdom');
	const { Defuddle } = await import('defuddle/node');
	const all: Peer[] = [
		{
			name: 'readability+linkedom',
			async content(html) {
				const { document } = parseHTML(complete(html));
				return new Readability(document).parse()?.content ?? '';
			},
		},
		{
			name: 'readability+jsdom',
			async content(html, url) {
				const { window } = new JSDOM(html, { url, virtualConsole: new VirtualConsole() });
				const found = new Readability(window.document).parse()?.content ?? '';
				window.close();
				return found;
			},
		},
		{
			name: 'defuddle',
			async content(html, url) {
				const { document } = parseHTML(complete(html));
				return (await Defuddle(document, url, { useAsync: false })).content;
			},
		},
	];
	return all.filter((peer) => names.includes(peer.name));
}
