import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the first line of a content file says of its page. */
interface Facts {
	title: string;
	description: string;
	/** ISO date of a blog post. */
	date?: string;
	author?: string;
	kind?: 'home' | 'listing' | 'post' | 'picture';
	/** false keeps the page out of the sitemap. */
	sitemap?: boolean;
}

interface Page extends Facts {
	/** `/docs/install/` */
	path: string;
	content: string;
}

const here = dirname(fileURLToPath(import.meta.url));

/** Writes the finished site, as a static host would serve it, to `out`. Every address in it begins with `origin`. */
export function buildSite(out: string, origin: string): void {
	const layout = readFileSync(join(here, 'layout.html'), 'utf8');
	const pages = readPages(join(here, 'content'));
	rmSync(out, { recursive: true, force: true });
	cpSync(join(here, 'assets'), join(out, 'assets'), { recursive: true });
	for (const page of pages) write(out, `${page.path}index.html`, fill(layout, fieldsOf(page, pages, origin)));
	for (const name of ['robots.txt', '_redirects']) {
		write(out, name, fill(readFileSync(join(here, 'assets', name), 'utf8'), { origin }));
		rmSync(join(out, 'assets', name));
	}
	write(out, 'sitemap.xml', sitemap(pages, origin));
	write(out, 'feed.xml', feed(pages, origin));
}

function readPages(folder: string): Page[] {
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
	return files.sort().map((file) => {
		const source = readFileSync(join(folder, file), 'utf8');
		const end = source.indexOf('\n');
		const path = `/${file.replace(/(index)?\.html$/, '')}/`.replace(/\/+$/, '/').replaceAll('//', '/');
		return { ...(JSON.parse(source.slice(0, end)) as Facts), path, content: source.slice(end + 1).trim() };
	});
}

function fieldsOf(page: Page, pages: readonly Page[], origin: string): Record<string, string> {
	return {
		origin,
		path: page.path,
		title: page.title,
		description: page.description,
		kind: page.kind ?? 'doc',
		head: head(page, origin),
		sidebar: page.path.startsWith('/docs/') ? sidebar(pages) : '',
		breadcrumbs: breadcrumbs(page),
		content: page.path.startsWith('/docs/') ? withAnchors(page.content) : page.content,
		after: after(page),
	};
}

function head(page: Page, origin: string): string {
	if (page.kind !== 'post') return '';
	const data = {
		'@context': 'https://schema.org',
		'@type': 'BlogPosting',
		headline: page.title,
		datePublished: page.date,
		author: { '@type': 'Person', name: page.author },
		url: origin + page.path,
	};
	return `<meta property="og:title" content="${page.title}">
<meta property="article:published_time" content="${page.date}">
<script type="application/ld+json">${JSON.stringify(data)}</script>`;
}

function sidebar(pages: readonly Page[]): string {
	const items = pages
		.filter((page) => page.path.startsWith('/docs/'))
		.map((page) => `<li><a href="${page.path}">${page.title}</a></li>`);
	return `<aside class="sidebar"><nav aria-label="Manual"><ul>\n${items.join('\n')}\n</ul></nav></aside>`;
}

function breadcrumbs(page: Page): string {
	const [section] = page.path.split('/').filter(Boolean);
	if (section === undefined || page.path === `/${section}/`) return '';
	return `<nav class="breadcrumbs" aria-label="Breadcrumb"><ol><li><a href="/">Home</a></li><li><a href="/${section}/">${section}</a></li><li>${page.title}</li></ol></nav>`;
}

/** The little # behind each heading that manuals have. */
function withAnchors(content: string): string {
	return content.replace(
		/<h2 id="([^"]+)">(.*?)<\/h2>/g,
		'<h2 id="$1">$2 <a class="heading-anchor" href="#$1" aria-label="Link to this section">#</a></h2>',
	);
}

function after(page: Page): string {
	if (page.kind === 'post') {
		return `<p class="meta">By ${page.author}, <time datetime="${page.date}">${page.date}</time></p>
<div class="share"><ul><li><a href="https://social.example/share?u=${page.path}">Share</a></li><li><a href="mailto:?subject=${page.title}">Mail this</a></li></ul></div>`;
	}
	return page.path.startsWith('/docs/')
		? '<p class="edit"><a href="https://example.org/edit">Edit this page</a></p>'
		: '';
}

function sitemap(pages: readonly Page[], origin: string): string {
	const entries = pages
		.filter((page) => page.sitemap !== false)
		.map((page) => `<url><loc>${origin}${page.path}</loc><lastmod>${page.date ?? '2026-10-01'}</lastmod></url>`);
	return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`;
}

function feed(pages: readonly Page[], origin: string): string {
	const entries = pages
		.filter((page) => page.kind === 'post')
		.map(
			(page) =>
				`<entry><title>${page.title}</title><id>${origin}${page.path}</id><link href="${origin}${page.path}"/><updated>${page.date}T09:00:00Z</updated></entry>`,
		);
	return `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>Tidemark</title><id>${origin}/</id><updated>2026-09-14T09:00:00Z</updated>\n${entries.join('\n')}\n</feed>\n`;
}

function fill(template: string, fields: Readonly<Record<string, string>>): string {
	return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => fields[name] ?? whole);
}

function write(out: string, file: string, text: string): void {
	const path = join(out, file);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const [out, origin = 'https://tidemark.example'] = process.argv.slice(2);
	if (out === undefined) throw new Error('usage: build.ts OUT [ORIGIN]');
	buildSite(out, origin);
	console.log(`wrote the site to ${relative(process.cwd(), out)}`);
}
