import { afterEach, expect, it } from 'vitest';
import { fetchDocument } from '../engine/fetch-document.ts';
import { startWeb, type TestWeb } from '../testing/web.ts';
import { noChromium } from './testing/rendered.ts';

let web: TestWeb | undefined;
afterEach(() => web?.close());

const sentence = (name: string) => `The ${name} of the harbour are described here in some words. `.repeat(12);
const app = `<!doctype html><title>Harbour</title><div id="root"></div><script>
const texts = { '#/': ${JSON.stringify(sentence('news'))}, '#/berths': ${JSON.stringify(sentence('berths'))}, '#!tides': ${JSON.stringify(sentence('tides'))} };
const p = document.createElement('p');
p.textContent = texts[location.hash] ?? texts['#/'];
document.getElementById('root').append(p);
</script>`;

it.skipIf(noChromium).each([
	['#/berths', 'berths'],
	['#!tides', 'tides'],
	['#top', 'news'],
	['', 'news'],
])(
	'C2-70 a page fetched at %s shows what the browser shows there',
	async (hash, expected) => {
		web = await startWeb(({ path }) => (path === '/app' ? app : undefined));
		const url = web.url('127.0.0.1', '/app');
		const { document } = await fetchDocument(url + hash, { render: 'always', delay: 0 });
		expect(document?.content.markdown).toContain(`The ${expected} of the harbour`);
		expect(document?.source.url).toBe(/^#[/!]/.test(hash) ? url + hash : url);
		expect(web.paths('127.0.0.1').filter((path) => path === '/app')).toEqual(['/app']);
	},
	60_000,
);
