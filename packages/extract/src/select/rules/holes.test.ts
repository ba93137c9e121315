import { expect, it } from 'vitest';
import { parseHtml } from '../../dom/parse.ts';
import { segment } from '../read/blocks.ts';
import { flagsOf } from '../read/flags.ts';
import { keepHoles } from './holes.ts';

const prose =
	'<p>The client keeps a pool of connections to each host and reuses them for later requests of any caller.</p>';
const long = prose.repeat(6);

/** The text of blocks that are filled in when only the long paragraphs were chosen. */
function filled(inner: string, isDocumentation: boolean, judged = 0.4): string[] {
	const segments = segment(parseHtml(`<body><nav>Menu</nav><main>${long}${inner}${long}</main><p>End</p></body>`).body);
	const keep = flagsOf(segments.blocks, ({ text }) => text.startsWith('The client keeps'));
	const probabilities = Float64Array.from(keep, (kept) => (kept ? 1 : judged));
	const after = keepHoles(segments, keep, probabilities, isDocumentation);
	return segments.blocks.filter((_, i) => after[i] && !keep[i]).map(({ text }) => text);
}

it('a command, a label and a short section between kept paragraphs of documentation', () => {
	expect(filled('<pre>npm start</pre><p>Note</p><h2>Use</h2><p>See below.</p>', true)).toEqual([
		'npm start',
		'Note',
		'Use',
		'See below.',
	]);
});

it('elsewhere only code and the titles of notes', () => {
	expect(filled('<pre>npm start</pre><p>Advertisement</p>', false)).toEqual(['npm start']);
	expect(filled('<div class="callout"><div class="callout-title">Tip</div></div>', false)).toEqual(['Tip']);
});

it('no part with a role of its own, no list of links, nothing that cannot be content', () => {
	expect(filled('<aside>Beside</aside><nav>Menu</nav><form><p>Your name</p></form>', true)).toEqual([]);
	expect(filled('<div class="related-posts"><p>Other posts</p></div>', true)).toEqual([]);
	expect(filled('<ul><li><a href="/a">One page</a></li><li><a href="/b">Another page</a></li></ul>', true)).toEqual([]);
	expect(filled('<pre>npm start</pre>', true, 0)).toEqual([]);
});
