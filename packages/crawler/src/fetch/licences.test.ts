import { expect, it } from 'vitest';
import { readPage } from '../read/read-page.ts';
import { openStore } from '../store/sql/open.ts';
import { plain, useSites } from '../testing/sites.ts';

const sites = useSites();
const rsl = 'type="application/rsl+xml"';
const page = (head: string) => ({
	headers: { 'content-type': 'text/html', etag: '"one"', link: `</by-header.xml>; rel="license"; ${rsl}` },
	body: `<!doctype html><html lang="en"><head><title>Quay</title>${head}</head><body><main><h1>Quay</h1>
<p>The old crane stands on the eastern quay and is painted every other spring.</p></main></body></html>`,
});

/** Where the site refers to licences, as the results report it. */
const reported = (results: readonly { policy?: { licences?: readonly { text: string }[] } }[]) =>
	results.map(({ policy }) => policy?.licences?.map(({ text }) => text));

it('RSL licences of robots.txt, of Link fields and of the head of a page stand in its policy', async () => {
	const head = `<link rel="nofollow LICENSE" ${rsl} href="/by-head.xml"><link rel="license" href="/cc">`;
	await sites.serve({
		'h.test/robots.txt': plain(`User-agent: *\nAllow: /\nLicense: https://h.test/by-robots.xml\n`),
		'h.test/': page(head),
	});
	const store = await openStore('memory');
	const [first] = reported((await sites.crawl(['h.test/'], { store }, readPage)).results);
	expect(first).toHaveLength(3);
	expect(first?.join('\n')).toMatch(/by-robots\.xml[\s\S]*by-header\.xml[\s\S]*by-head\.xml/);
	expect(first?.join('\n')).not.toContain('/cc');
	// Unchanged pages are emitted again with them.
	const again = reported((await sites.crawl(['h.test/'], { store }, readPage)).results);
	expect(again).toEqual([first]);
	await store.close();
});

it('a page without RSL licences has no such member', async () => {
	await sites.serve({
		'h.test/': { ...page('<link rel="license" href="/cc">'), headers: { 'content-type': 'text/html' } },
	});
	const { results } = await sites.crawl(['h.test/'], {}, readPage);
	expect(results[0]?.policy).toBeDefined();
	expect(results[0]?.policy).not.toHaveProperty('licences');
});
