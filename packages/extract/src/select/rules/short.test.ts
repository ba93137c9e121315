import { expect, it } from 'vitest';
import { parseHtml } from '../../dom/parse.ts';
import { segment } from '../read/blocks.ts';
import { flagsOf } from '../read/flags.ts';
import { keepShort } from './short.ts';

const prose = '<p>The client keeps a pool of connections to each host and reuses them for later requests.</p>';
const next = '<ol><li><a href="/a">Install</a><p>This page shows how.</p></li></ol>';

/** The text of blocks that are added when only the long paragraphs were chosen. */
function added(html: string, judged = 0.2): string[] {
	const segments = segment(parseHtml(html).body);
	const keep = flagsOf(segments.blocks, ({ text }) => text.startsWith('The client keeps'));
	const after = keepShort(
		segments,
		keep,
		Float64Array.from(keep, (kept) => (kept ? 1 : judged)),
	);
	return segments.blocks.filter((_, i) => after[i] && !keep[i]).map(({ text }) => text);
}

it('keeps the whole of a short part that is the only article, or main', () => {
	const page = (tag: string) => `<p>Menu</p><${tag}>${prose}${prose}${next}<nav>Next</nav></${tag}><p>End</p>`;
	expect(added(page('article'))).toEqual(['Install', 'This page shows how.']);
	expect(added(page('main'))).toEqual(['Install', 'This page shows how.']);
	expect(added(page('section'))).toEqual([]);
});

it('but not what is hardly likely, nor of a long part, nor where less was chosen', () => {
	expect(added(`<main>${prose}${prose}${next}</main>`, 0.05)).toEqual([]);
	expect(added(`<main>${prose.repeat(20)}${next}</main>`)).toEqual([]);
	expect(added(`<main>${prose}<p>${'More words than that. '.repeat(8)}</p></main>`)).toEqual([]);
});
