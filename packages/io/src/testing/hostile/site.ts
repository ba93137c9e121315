import type { Behaviour } from './behaviour.ts';
import type { Exchange } from './exchange.ts';

const ordinary: Readonly<Record<string, readonly [title: string, text: string]>> = {
	'/': [
		'The Harbour Almanac',
		'The almanac lists tides, lights and moorings of a harbour that does not exist. It is kept by hand and revised each spring.',
	],
	'/about': [
		'About the almanac',
		'Three people write the almanac in the winter months, when few boats come in. Corrections are welcome at the harbour office.',
	],
	'/guide/first': [
		'Reading the tide table',
		'Each row of the table is one high water. Heights are metres above chart datum, and times are those of the harbour clock.',
	],
	'/guide/second': [
		'Entering by night',
		'Keep the two green lights in line until the bell buoy is abeam, then turn to the red one and stay east of the pier.',
	],
};

export const ordinaryPaths: readonly string[] = Object.keys(ordinary);

/** A page that looks like one of a real site, with links to others. */
export function page(title: string, text: string, links: readonly string[] = []): string {
	const items = links.map((link) => `<li><a href="${link.replaceAll('&', '&amp;')}">Page ${link}</a></li>`);
	return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><main><h1>${title}</h1><p>${text}</p></main><nav><ul>${items.join('')}</ul></nav></body></html>
`;
}

/** The ordinary part of every host: four pages, a robots.txt that allows everything, and 404 for the rest. */
export function serveOrdinary(exchange: Exchange, behaviour: Behaviour): void {
	const entry = ordinary[exchange.path];
	if (exchange.path === '/robots.txt') {
		exchange.reply(200, { 'Content-Type': 'text/plain' }, 'User-agent: *\nAllow: /\n');
	} else if (entry !== undefined) {
		const own = /^\/(robots|sitemap)/.test(behaviour.path) ? [] : [behaviour.path];
		exchange.html(page(...entry, [...ordinaryPaths, ...own]));
	} else {
		exchange.reply(404, { 'Content-Type': 'text/html' }, page('Not found', 'There is no such page.'));
	}
}
