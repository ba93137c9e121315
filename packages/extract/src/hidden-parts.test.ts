import { expect, it } from 'vitest';
import { extract } from './extract.ts';

const long = (word: string): string =>
	`The ${word} of the harbour was built of oak and stone by the people of the town. `.repeat(4);
const partsOf = (body: string): unknown =>
	extract(
		`<html lang="en"><title>Pier</title><main><h1>Pier</h1><p>${long('pier')}</p>${body}</main>`,
		'https://e.test/pier',
	).page.hiddenParts;

it.each([
	[
		'a panel of a tab',
		'<button aria-controls="p" role="tab">Opening</button><div role="tabpanel" id="p" hidden><p>It opens at nine.</p></div>',
	],
	['details that are closed', '<details><summary>When does it open?</summary><p>It opens at nine.</p></details>'],
	[
		'the text after the title of an accordion',
		'<h3><button aria-expanded="false">When?</button></h3><div style="display:none"><p>It opens at nine.</p></div>',
	],
])('marks %s as offered', (_, html) => {
	expect(partsOf(html)).toEqual([
		{
			state: 'offered',
			words: expect.any(Number),
			begins: 'It opens at nine.',
		},
	]);
});

it.each([
	['text that fades in', `<section data-aos="fade-up" style="opacity:0"><p>${long('tower')}</p></section>`],
	['a body that waits for a script', `<div style="visibility:hidden"><p>${long('tower').repeat(4)}</p></div>`],
])('marks %s as waiting', (_, html) => {
	expect(partsOf(html)).toEqual([
		{ state: 'waiting', words: expect.any(Number), begins: expect.stringMatching(/^The tower/) },
	]);
});

it.each([
	['visible text', `<section><p>${long('tower')}</p></section>`],
	['open details', '<details open><summary>When?</summary><p>It opens at nine.</p></details>'],
	['hidden text that nothing opens', `<p hidden>${long('tower').slice(0, 80)}</p>`],
])('does not mark %s', (_, html) => {
	expect(partsOf(html)).toBeUndefined();
});
