import { describe, expect, it } from 'vitest';
import { attributeBits, bitNames } from './attribute-bits.ts';
import { Looks } from './looks.ts';
import type { Element } from './node.ts';
import { parseHtml } from './parse.ts';
import { outline, standardOutline } from './testing/tree.ts';
import { textContent, walk } from './walk.ts';

const body = (html: string): string => outline(parseHtml(html).body);

describe('HTML §13.2.6: the tree is the one that browsers build', () => {
	const cases: Record<string, string[]> = {
		'missing html, head and body tags': [
			'one<p>two',
			'<title>t</title><p>x',
			'<meta charset=utf8><div>one</div><p>two',
		],
		'end tags that may be left out': [
			'<p>one<p>two<div>three</div>',
			'<ul><li>a<li>b<ul><li>c</ul><li>d</ul>',
			'<dl><dt>a<dd>b<dt>c<dd>d</dl>',
			'<select><option>a<option>b<optgroup label=x><option>c</select>after',
			'<ruby>漢<rp>(<rt>kan<rp>)</ruby>',
			'<p>a<h2>b<h3>c',
			'<p>a<ul><li>b</ul>c</p>d',
		],
		'tags that the source breaks off': [
			'<p>a<title',
			'<p>a<a href="b>c',
			'<p>a</p',
			'<p>a</b c=d',
			'<p>a<!-- b > c',
			'<p>a<script>b</scrip',
			'a<',
			'a</',
			'a<!',
		],
		'markup that is hardly any': [
			'a < b <1 <-',
			'a</>b</ c>d<?e>f<!g>h',
			'a<!-->b<!--->c<!----!>d<!-- -- > -->e<!-- --- -->f',
			'<p a=b/ c = d e="f"g=\'h\'=i j>k',
			'<svg><path d=1/><path d=1 /></svg>a',
			'<svg><title>a<b>c</b></title></svg>d',
			'<svg/><![CDATA[a><p>b',
			'<svg><![CDATA[a</svg>b',
		],
		'text and character references': [
			'<p>&amp;&lt;b&gt; &notit; &not &#65; &#x41; &#128; &unknown; &',
			'<a href="?a=1&copy=2&amp;b&lt">c</a>',
			'<textarea>a&amp;<b>c</textarea ><xmp>d&amp;<b></xmp/>e',
			'<style>a&amp;</STYLE>b<script>c</scripts>d</script >e',
			'a<plaintext>b</plaintext>c',
		],
		'tables with parts left out': [
			'<table><tr><td>a<td>b<tr><th>c</table>x',
			'<table><caption>c<tr><td>a</table>',
			'<table><thead><tr><td>h<tbody><tr><td>b<tfoot><tr><td>f</table>',
			'<table><col><tr><td>a<table><tr><td>inner</table>b</table>c',
			'<table><colgroup><col><col></colgroup><td>a</table>',
			'<table><tr><td><p>a<td>b</table>',
		],
		'content astray in tables': [
			'<table>text<tr><td>a</table>',
			'<table><div>block</div><tr><td>a</table>',
			'<table><tr>x<td>a</td>y</tr></table>z',
			'<table><input type=hidden><input type=text><tr><td>a</table>',
			'<table><tr><td>a</td></tr><a href=x>link</a></table>',
			'<td>cell</td><tr>row</tr>bare',
			'<table><table><tr><td>a</table>',
		],
		'formatting that overlaps blocks': [
			'<p><b>one<p>two</b>three',
			'<b>1<i>2</b>3</i>4',
			'<a href=1><div>x</a>y</div>z',
			'<a href=1>one<a href=2>two</a>three',
			'<p><em>a<div>b</em>c</div>d',
			'<b><p>a<b><p>b<b><p>c</b></b></b>d',
			'<i><b><u><div>x</i>y</b>z</u></div>',
			'<font size=1><p>a<font size=2><p>b</font></font>c',
			'<b><table><tr><td>in</b>x</table>y',
			'<nobr>a<nobr>b</nobr>c',
		],
		'tags that close too much or too little': [
			'</p>a</div>b</br>c',
			'<div><span>a</div>b</span>c',
			'<h1>a</h2>b',
			'<form><div></form>a</div>b<form>c</form>',
			'<form>a<form>b</form>c',
			'<button>a<button>b</button>c',
			'<section><p>a</section>b',
			'<div></body>a</html>b</div>c',
			'<pre>\n\na\n b</pre><textarea>\nx</textarea>',
		],
		'foreign elements': [
			'<svg><path d=x /><title>t<b>x</b></title></svg>a',
			'<svg><g><div>out</div></g></svg>b',
			'<svg><foreignObject><p>a<p>b</foreignObject></svg>c',
			'<math><mi>x</mi><mo>=</mo><mtext><b>t</b></mtext></math>d',
			'<p><svg><circle/></svg>a<p>b',
		],
		'text without markup': [
			'<script>new RegExp("(^<s.*$")</script><p>after 5>4',
			'<style>a>b{}</style><noscript><p>static</p></noscript>c',
			'<iframe><p>x</p></iframe>y<xmp><b></xmp>z',
			'a<!-- <p>no</p> -->b<![CDATA[c]]>d<?php e ?>f',
		],
		entities: ['AT&ampT caf&eacute &#150; &#x1F468;&zwj;&#x1F469; &notit; &lt;b>', '<p title="&amp;&lt">&nbsp;x'],
	};
	for (const [title, inputs] of Object.entries(cases)) {
		it(title, () => {
			for (const html of inputs)
				expect(body(`<!doctype html>${html}`), html).toBe(standardOutline(`<!doctype html>${html}`));
		});
	}

	it('head content stays in the head, before and after its end tag', () => {
		const html =
			'<!doctype html><title>t</title><meta name=a><link rel=b></head><script>s</script><meta name=c><p>x<link rel=d>';
		const { head } = parseHtml(html);
		expect(outline(head)).toBe(standardOutline(html, 'head'));
		expect(body(html)).toBe(standardOutline(html));
	});

	it('keeps the head whole around an image in noscript, as browsers with scripts do', () => {
		const { head } = parseHtml('<head><noscript><img src=x></noscript><meta name=a></head><p>x');
		expect(outline(head)).toBe('<head><noscript><img></img></noscript><meta></meta></head>');
	});

	it('reads attributes: the first of a name counts, entities are decoded, names are lower case', () => {
		const { body: root } = parseHtml('<A HREF="?a&amp;b" href=2 Data-X=y disabled>x</A>');
		expect((root.children[0] as Element).attributes).toEqual({ href: '?a&b', 'data-x': 'y', disabled: '' });
	});

	it('reads the first of two attributes of a tag that has many, whatever lies between them', () => {
		const names = Array.from({ length: 40 }, (_, i) => `data-${i}`);
		const written = [...names, ...names, 'class', '__proto__', 'constructor', 'class', 'constructor'];
		const { body: root } = parseHtml(`<p ${written.map((name, i) => `${name}="${i}&amp;"`).join(' ')}>`);
		const expected = [...names, 'class'].map((name, i) => [name, i < 40 ? `${i}&` : '80&']);
		expect((root.children[0] as Element).attributes).toEqual({ ...Object.fromEntries(expected), constructor: '82&' });
	});

	it('notes the attributes that walks look for, in small letters and in capitals', () => {
		for (const name of bitNames)
			for (const written of [name, name.toUpperCase()]) {
				const { body: root } = parseHtml(`<p ${written}=x lang=en>`);
				const made = root.children[0] as Element;
				expect(made.attributeBits, written).not.toBe(0);
				expect(made.attributeBits, written).toBe(attributeBits({ [name]: 'x' }));
			}
		expect((parseHtml('<p title=x data-x=y>').body.children[0] as Element).attributeBits).toBe(0);
		expect(parseHtml('<body hidden><body class=x>').body.attributeBits).toBe(attributeBits({ hidden: '', class: '' }));
	});

	it('adds attributes of a second html and body tag', () => {
		const { html, body: root } = parseHtml('<html lang=en><body class=a><body class=b id=c><html lang=fr dir=rtl>');
		expect(html.attributes).toEqual({ lang: 'en', dir: 'rtl' });
		expect(root.attributes).toEqual({ class: 'a', id: 'c' });
	});

	it('joins text across entities and comments', () => {
		const { body: root } = parseHtml('<p>a&amp;b<!-- x -->c</p>');
		expect((root.children[0] as Element).children).toHaveLength(1);
		expect(textContent(root)).toBe('a&bc');
	});
});

describe('hard input', () => {
	const deepest = (root: Element): number => {
		let most = 0;
		walk(root, (node) => {
			let depth = 0;
			for (let up = node.parent; up !== null; up = up.parent) depth++;
			most = Math.max(most, depth);
			return true;
		});
		return most;
	};

	it('XB-140 50,000 nested divs end at the depth where browsers end', () => {
		const { body: root } = parseHtml(`${'<div>'.repeat(50_000)}x1${'</div>'.repeat(50_000)}<p>after`);
		expect(textContent(root)).toBe('x1after');
		expect(deepest(root)).toBeLessThan(520);
		expect((root.children.at(-1) as Element).tag).toBe('p');
	});

	it('unclosed formatting is not copied without end', () => {
		const count = (html: string): number => {
			let nodes = 0;
			walk(parseHtml(html).body, () => {
				nodes++;
				return true;
			});
			return nodes;
		};
		const page = (n: number): string => Array.from({ length: n }, (_, i) => `<p><font size=${i}>x`).join('');
		expect(count(page(800)) / count(page(400))).toBeLessThan(2.2);
	});

	it('a megabyte in one attribute is one value', () => {
		const { body: root } = parseHtml(`<img alt="${'x'.repeat(1_000_000)}">after`);
		expect((root.children[0] as Element).attributes.alt).toHaveLength(1_000_000);
	});

	it('never throws on anything cut short', () => {
		const page = '<div class="a b"><p>x &amp; <!-- c --><table><tr><td><svg><a/></svg><script>if(a<b)</script></div>';
		for (let i = 0; i <= page.length; i++) expect(() => parseHtml(page.slice(0, i))).not.toThrow();
	});
});

describe('Looks', () => {
	const isHidden = (element: Element): boolean => new Looks([], element).hides(element);
	const first = (html: string): Element => parseHtml(html).body.children[0] as Element;

	it('sees the ways to hide an element in markup', () => {
		for (const html of [
			'<div hidden>',
			'<div aria-hidden="true">',
			'<div style="color:red; display : none">',
			'<div style="visibility:hidden!important">',
			'<span class="foo sr-only">',
			'<span class="visually-hidden-focusable">',
			'<span class="screen-reader-text">',
			'<div class="d-none">',
		]) {
			expect(isHidden(first(html)), html).toBe(true);
		}
	});

	it('XB-133 is not misled by look-alikes', () => {
		for (const html of [
			'<div style="--footer-display: none; --x: hidden">',
			'<div hidden="until-found">',
			'<div aria-hidden="false">',
			'<div class="not-sr-only hidden-line">',
			'<div class="d-none d-md-block">',
			'<div style="display:none-ish">',
		]) {
			expect(isHidden(first(html)), html).toBe(false);
		}
	});
});
