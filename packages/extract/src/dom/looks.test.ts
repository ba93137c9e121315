import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rulesOf } from './css.ts';
import { hiddenBits, Looks } from './looks.ts';
import type { Element } from './node.ts';
import { parseHtml } from './parse.ts';
import { walk } from './walk.ts';

const names = ['.a', '.b', '.c-d', '#i', 'p', 'section', '.absent', '#none', 'video'];
const name = fc.constantFrom(...names);
const compound = fc
	.tuple(name, fc.constantFrom('', '', ':hover', '::before', '.b', ':not(.a .b)', '[open]', ':focus'))
	.map(([own, more]) => own + more);
const selector = fc
	.array(compound, { minLength: 1, maxLength: 3 })
	.chain((parts) => fc.constantFrom(' ', ' > ', '>', '+', ' ~ ').map((between) => parts.join(between)));
const declaration = fc.constantFrom(
	'display: none',
	'DISPLAY:block',
	'visibility:hidden',
	'visibility: visible !important',
	'opacity:0',
	'opacity: 1',
	'left:-9999px',
	'left:0',
	'height:0;overflow:hidden',
	'height: 20px',
	'color:#fff;background:#fff',
	'color:red',
	'font-size:0',
	'white-space:pre',
	'margin: 1em',
	'border: 0',
);
const rule = fc
	.record({
		selectors: fc.array(selector, { minLength: 1, maxLength: 3 }),
		declarations: fc.array(declaration, { minLength: 1, maxLength: 3 }),
		isConditional: fc.boolean(),
	})
	.map(({ selectors, declarations, isConditional }) => {
		const css = `${selectors.join(', ')} { ${declarations.join('; ')} }`;
		return isConditional ? `@media (min-width: 600px) { ${css} }` : css;
	});
const bodyHtml = `<p class="a">1</p><p class="b C-D" id="i">2</p><section class="c-d"><p class="a b" style="opacity:0">3</p></section>
	<noscript>&lt;p class="absent">4&lt;/p></noscript>`;

it('rules for elements that a page does not have change nothing', () => {
	let hidden = 0;
	fc.assert(
		fc.property(fc.array(rule, { minLength: 1, maxLength: 12 }), (rules) => {
			// A sheet of this size is searched for what the page has.
			const filler = Array.from({ length: 250 }, (_, i) => `.filler${i} > .x:hover { display: block }`).join('\n');
			const { styles, body } = parseHtml(`<style>${rules.join('\n')}\n${filler}</style>${bodyHtml}`);
			const all = new Looks(parseHtml(`<style>${rules.join('\n')}</style>`).styles, body);
			const some = new Looks(styles, body);
			const elements: Element[] = [];
			walk(body, (node) => {
				if (node.kind === 'element') elements.push(node);
				return true;
			});
			for (const element of elements) {
				expect(some.of(element)).toBe(all.of(element));
				if (all.of(element) & hiddenBits) hidden++;
			}
		}),
		{ numRuns: 150 },
	);
	expect(hidden).toBeGreaterThan(20);
});

it('reads the rules of a sheet in order, with their conditions and nesting', () => {
	const css = `a{b:c}/* {x} */@media print{.p{d:e}}@media screen{.q{f:g}}@layer x;.r{h:i;.s &{j:k}}@supports (y:z){.t{l:m}}.u{n:o`;
	expect(rulesOf(css)).toEqual([
		{ selector: 'a', declarations: 'b:c', conditional: false },
		{ selector: '.q', declarations: 'f:g', conditional: false },
		{ selector: '.r', declarations: 'h:i;', conditional: false },
		{ selector: '.s .r', declarations: 'j:k', conditional: false },
		{ selector: '.t', declarations: 'l:m', conditional: false },
	]);
});

it('matches selectors with many descendants in deep trees in linear time', () => {
	const css = `.q ${'.x '.repeat(9)}.x { display: none }`;
	const { styles, body } = parseHtml(`<style>${css}</style>${'<div class="x">'.repeat(150)}<p class="x">1</p>`);
	const looks = new Looks(styles, body);
	const start = performance.now();
	walk(body, (node) => {
		if (node.kind === 'element') expect(looks.hides(node)).toBe(false);
		return true;
	});
	expect(performance.now() - start).toBeLessThan(5_000);
});
