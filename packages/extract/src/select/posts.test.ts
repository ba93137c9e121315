import { expect, it } from 'vitest';
import { parseHtml } from '../dom/parse.ts';
import { findBylines, starterOf } from './posts.ts';
import { segment } from './read/blocks.ts';
import { flagsOf } from './read/flags.ts';
import { shownBlocks } from './shown.ts';

/** What is shown of a thread of which only the texts with "says" are kept. */
function shown(html: string): string[] {
	const { blocks } = segment(parseHtml(html).body);
	const keep = flagsOf(blocks, ({ text }) => text.includes('says'));
	const bylines = findBylines(blocks, keep);
	return blocks.filter((_, i) => shownBlocks(blocks, keep, { bylines })[i]).map(({ text }) => text);
}

it('author and date are shown with each post of a thread', () => {
	const post = (name: string, day: number) => `<article class="message">
		<div class="message-user"><h4 class="message-name"><a href="/members/${name}.1/">${name}</a></h4><h5>Member</h5>
			<dl><dt>Joined<dd>Feb 8, 2017</dl></div>
		<div class="message-main"><ul><li><a href="/p"><time datetime="2024-01-0${day}">Jan ${day}, 2024</time></a></ul>
			<div>${name} says</div><p>Last edited: <time datetime="2024-02-01">Feb 1, 2024</time></div></article>`;
	expect(shown(post('Ann', 1) + post('Bo', 2))).toEqual([
		'Ann',
		'Jan 1, 2024',
		'Ann says',
		'Bo',
		'Jan 2, 2024',
		'Bo says',
	]);
});

it('regardless of the class names of the software', () => {
	expect(shown('<div id="p7" class="blockpost"><dl class="postleft"><dt><b>Cy</b></dl><p>Cy says</div>')).toEqual([
		'Cy',
		'Cy says',
	]);
	expect(
		shown('<div class="post"><div>by</div><div><a href="./memberlist.php?u=2">Di</a></div><p>Di says</div>'),
	).toEqual(['Di', 'Di says']);
});

it('not of posts that are left out, and not those who are quoted', () => {
	expect(shown('<article><h4 class="author">Ed</h4><p>Sold!</article><p>Someone says')).toEqual(['Someone says']);
	expect(shown('<article><blockquote><div class="author">Flo</div><p>Old</blockquote><p>Gus says</article>')).toEqual([
		'Gus says',
	]);
});

it('a thread is by the author of its first post', () => {
	const post = (name: string, text: string) =>
		`<div class="post"><p class="author"><a href="/u/${name}">${name}</a> Veteran</p><p>${text}</p></div>`;
	const starter = (html: string) => {
		const { blocks } = segment(parseHtml(html).body);
		const keep = flagsOf(blocks, ({ text }) => text.includes('says'));
		return starterOf(blocks, findBylines(blocks, keep));
	};
	expect(starter(post('Ad', 'Sold here') + post('Ann', 'Ann says') + post('Bo', 'Bo says'))).toBe('Ann');
	expect(starter(`<div class="post"><time>2024-01-01</time><p>says</p></div>${post('Bo', 'Bo says')}`)).toBeUndefined();
	expect(starter('<p>says</p>')).toBeUndefined();
});
