// One contestant in a process of its own: pages in, what it found in them out. Started by extract-peers.ts.
import type { Favor } from '@wayleave/extract';
import type { Found } from './extract-peers.ts';

interface TurndownOptions {
	headingStyle: 'atx';
	codeBlockStyle: 'fenced';
}

type Way = (html: string, url: string) => Promise<Found> | Found;

/** linkedom needs the tags that a page may leave out. */
const complete = (html: string): string => (/<body[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);

const ways: Record<string, () => Promise<Way>> = {
	wayleave: () => ours(),
	'wayleave favor=recall': () => ours('recall'),
	async defuddle() {
		const { parseHTML } = await import('linkedom');
		const { Defuddle } = await import('defuddle/node');
		return async (html, url) => {
			const { document } = parseHTML(complete(html));
			const found = await Defuddle(document, url, { useAsync: false, separateMarkdown: true });
			return {
				text: await linesOf(found.content),
				markdown: found.contentMarkdown ?? '',
				title: found.title,
				author: found.author,
				date: found.published,
			};
		};
	},
	async 'readability+linkedom'() {
		const { parseHTML } = await import('linkedom');
		return (html) => readability(parseHTML(complete(html)).document);
	},
	async 'readability+turndown'() {
		const { parseHTML } = await import('linkedom');
		// Setext headings and indented code, its defaults, cannot hold levels below two and languages.
		return (html) => readability(parseHTML(complete(html)).document, { headingStyle: 'atx', codeBlockStyle: 'fenced' });
	},
	async 'readability+jsdom'() {
		const { JSDOM, VirtualConsole } = await import('jsdom');
		return async (html, url) => {
			const { window } = new JSDOM(html, { url, virtualConsole: new VirtualConsole() });
			const found = await readability(window.document);
			window.close();
			return found;
		};
	},
};

async function ours(favor?: Favor): Promise<Way> {
	const { extract } = await import('@wayleave/extract');
	return (html, url) => {
		const { text, markdown, page } = extract(html, url, favor === undefined ? {} : { favor });
		return {
			text,
			markdown,
			title: page.title ?? '',
			author: page.author?.join(', ') ?? '',
			date: page.published ?? '',
		};
	};
}

async function readability(document: Document, options?: TurndownOptions): Promise<Found> {
	const { Readability } = await import('@mozilla/readability');
	const { default: Turndown } = await import('turndown');
	const found = new Readability(document).parse();
	const content = found?.content ?? '';
	return {
		text: await linesOf(content),
		markdown: new Turndown(options).turndown(content),
		title: found?.title ?? '',
		author: found?.byline ?? '',
		date: found?.publishedTime ?? '',
	};
}

/** Peers give HTML: its text, one line per block, as ours is. */
async function linesOf(html: string): Promise<string> {
	const { parseHtml } = await import('../packages/extract/src/dom/parse.ts');
	const { segment } = await import('../packages/extract/src/select/read/blocks.ts');
	return segment(parseHtml(html).body)
		.blocks.map((block) => block.text)
		.join('\n');
}

// Peers write warnings for pages they find odd.
for (const level of ['log', 'warn', 'error', 'info', 'debug'] as const) console[level] = () => {};
const way = await ways[process.argv[2]!]!();
process.on('message', async ({ html, url }: { html: string; url: string }) => {
	try {
		process.send!(await way(html, url));
	} catch (error) {
		process.send!({ error: String(error) });
	}
});
process.on('uncaughtException', (error) => process.send!({ error: String(error) }));
process.send!('ready');
