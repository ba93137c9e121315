/** A hard input from a public report, in our own words: what its Markdown must and must not hold, or what a field is. */
export interface Case {
	readonly id: string;
	readonly kind: 'fragment' | 'page' | 'metadata';
	readonly symptom: string;
	readonly input: string;
	readonly must?: readonly RegExp[];
	readonly mustNot?: readonly RegExp[];
	/** Of the `<article>` around a page. */
	readonly style?: string;
	readonly name?: string;
	/** The page has no other text. */
	readonly bare?: boolean;
	readonly head?: string;
	readonly field?: string;
	readonly value?: string | readonly string[];
}

const jsonLd = (data: string): string => `<title>T</title><script type="application/ld+json">${data}</script>`;
const rows = Array.from(
	{ length: 25 },
	(_, i) => `<tr><td>${1990 + i}</td><td><a href="/f/${i}">Film ${i}</a></td></tr>`,
).join('');
const points = Array.from(
	{ length: 60 },
	(_, i) => `<li>Point ${i} of the list is one sentence about something that happened.</li>`,
).join('');

export const cases: readonly Case[] = [
	// Code
	{
		id: 'XB-76',
		kind: 'page',
		symptom: 'one long block of code does not win over the article',
		input: `<pre>${'x = 1\n'.repeat(120)}</pre><p>After the dump the text goes on.</p>`,
		must: [/number 1 tells/, /After the dump/, /x = 1\nx = 1/],
	},
	{
		id: 'XB-77',
		kind: 'fragment',
		symptom: 'pre without code keeps its lines',
		input: '<pre>go(t =&gt; {\n  walk(t)\n})</pre>',
		must: [/^```\ngo\(t => \{\n {2}walk\(t\)\n\}\)\n```$/],
	},
	{
		id: 'XB-79',
		kind: 'fragment',
		symptom: 'br in code is a line end',
		input: '<pre><code>one<br>two<br/>three</code></pre>',
		must: [/^```\none\ntwo\nthree\n```$/],
	},
	{
		id: 'XB-80',
		kind: 'fragment',
		symptom: 'blank lines in code stay',
		input: '<pre><code>a\n\n\nb</code></pre>',
		must: [/a\n\n\nb/],
	},
	{
		id: 'XB-81',
		kind: 'fragment',
		symptom: 'angle brackets in pre are text, its first line end is not',
		input: '<pre>\nlist&lt;class T&gt;\nBox&lt;T&gt;::put();\n</pre>',
		must: [/^```\nlist<class T>\nBox<T>::put\(\);\n```$/],
	},
	{
		id: 'XB-82',
		kind: 'fragment',
		symptom: 'code pasted from an editor, one div for each line',
		input: '<div style="font-family: monospace; white-space: pre"><div>  run()</div><div>    stop()</div></div>',
		must: [/^```\n {2}run\(\)\n {4}stop\(\)\n```$/],
	},
	{
		id: 'XB-83',
		kind: 'fragment',
		symptom: 'the language in a data attribute',
		input: '<pre class="EnlighterJSRAW" data-enlighter-language="kotlin">val x = 1</pre>',
		must: [/^```kotlin\nval x = 1\n```$/],
	},
	{
		id: 'XB-85',
		kind: 'fragment',
		symptom: 'line numbers are no code',
		input:
			'<pre class="line-numbers"><code class="language-ts"><span class="line-number">1</span>let p;\n<span class="line-number">2</span>let q;\n</code><span aria-hidden="true" class="line-numbers-rows"><span></span></span></pre>',
		must: [/^```ts\nlet p;\nlet q;\n```$/],
	},
	{
		id: 'XB-86',
		kind: 'fragment',
		symptom: 'a fence in code needs a longer one',
		input: '<pre><code>```py\ny\n```</code></pre>',
		must: [/^````\n```py\ny\n```\n````$/],
	},
	// Tables
	{
		id: 'XB-87',
		kind: 'fragment',
		symptom: 'a table is a table',
		input:
			'<table><thead><tr><th>Key</th><th>Kind</th></tr></thead><tbody><tr><td>size</td><td>number</td></tr></tbody></table>',
		must: [/^\| Key \| Kind \|\n\| --- \| --- \|\n\| size \| number \|$/],
	},
	{
		id: 'XB-89',
		kind: 'fragment',
		symptom: 'pipes in cells, in code too',
		input: '<table><tr><th>T</th></tr><tr><td>A | B</td></tr><tr><td><code>x|y</code></td></tr></table>',
		must: [/\| A \\\| B \|/, /\| `x\\\|y` \|/],
	},
	{
		id: 'XB-90',
		kind: 'fragment',
		symptom: 'a list in a cell',
		input: '<table><tr><td>Tue</td><td><ul><li>10:00</li><li>20:00</li></ul></td></tr></table>',
		must: [/\| Tue \| • 10:00<br>• 20:00 \|/],
	},
	{
		id: 'XB-91',
		kind: 'fragment',
		symptom: 'a link in a cell',
		input: '<table><tr><th>F</th></tr><tr><td><p><a href="https://a.test/h.pdf">h.pdf</a></p></td></tr></table>',
		must: [/\| \[h\.pdf\]\(https:\/\/a\.test\/h\.pdf\) \|/],
	},
	{
		id: 'XB-95',
		kind: 'page',
		symptom: 'a table with pictures stays',
		input:
			'<table><caption>The models</caption><tr><td>Ref</td><td>R1</td><td>R2</td></tr><tr><td>Pic</td><td><img src="https://a.test/1.jpg" alt="p1"></td><td><img src="https://a.test/2.jpg" alt="p2"></td></tr></table>',
		must: [/R1[^\n]*R2/, /1\.jpg/, /2\.jpg/, /The models/],
	},
	{
		id: 'XB-96',
		kind: 'page',
		symptom: 'a long table keeps all rows',
		input: `<table><thead><tr><th>Year</th><th>Film</th></tr></thead><tbody>${rows}</tbody></table>`,
		must: [/Year/, /Film 0\b/, /Film 24/],
	},
	// Lists
	{
		id: 'XB-97',
		kind: 'fragment',
		symptom: 'three levels, two columns each',
		input: '<ul>\n<li>a\n<ul>\n<li>b\n<ul><li>c</li></ul></li></ul></li></ul>',
		must: [/^- a\n {2}- b\n {4}- c$/],
	},
	{
		id: 'XB-100',
		kind: 'fragment',
		symptom: 'the second paragraph of item 10 stands below its text',
		input: '<ol start="10"><li><p>Test</p><p>Second</p></li></ol>',
		must: [/^10\. Test\n\n {4}Second$/],
	},
	{
		id: 'XB-101',
		kind: 'fragment',
		symptom: 'code in an item keeps its place',
		input: '<ol><li>Run:<pre><code>make</code></pre>then wait</li><li>Done</li></ol>',
		must: [/^1\. Run:\n {3}```\n {3}make\n {3}```\n {3}then wait\n2\. Done$/],
	},
	{
		id: 'XB-102',
		kind: 'page',
		symptom: 'a page of one list',
		input: `<ol>${points}</ol>`,
		bare: true,
		must: [/Point 0 /, /Point 59 /],
	},
	{
		id: 'XB-103',
		kind: 'fragment',
		symptom: 'terms and what is said of them',
		input: '<dl><dt>T1</dt><dd>D1</dd><dt>T2</dt><dd><p>D2</p></dd></dl>',
		must: [/^\*\*T1\*\*\n: D1\n\n\*\*T2\*\*\n: D2$/],
	},
	{
		id: 'XB-104',
		kind: 'fragment',
		symptom: 'dd without dt is an indent',
		input: 'before<dl><dd>What is this?</dd></dl>after',
		must: [/^before\n\nWhat is this\?\n\nafter$/],
	},
	{
		id: 'XB-105',
		kind: 'fragment',
		symptom: 'dd that begins with a list',
		input: '<dl><dt>opt</dt><dd><ul><li>x</li><li>y</li></ul></dd></dl>',
		must: [/^\*\*opt\*\*\n: - x\n {2}- y$/],
	},
	// Inline
	{
		id: 'XB-106',
		kind: 'fragment',
		symptom: 'space inside of marks',
		input: '<p>It is<i> mostly </i>true, <b>bold </b>words</p>',
		must: [/^It is \*mostly\* true, \*\*bold\*\* words$/],
	},
	{
		id: 'XB-107',
		kind: 'fragment',
		symptom: 'br at the end of emphasis',
		input: '<p><em>in<br></em>out</p>',
		must: [/^\*in\*\\\nout$/],
	},
	{
		id: 'XB-108',
		kind: 'fragment',
		symptom: 'brackets and spaces in addresses',
		input: '<a href="https://a.test/f(1.jpg">l</a> <a href="https://a.test/a b">m</a>',
		must: [/\[l\]\(<https:\/\/a\.test\/f\(1\.jpg>\)/, /\[m\]\(https:\/\/a\.test\/a%20b\)/],
	},
	{
		id: 'XB-109',
		kind: 'fragment',
		symptom: 'a link around blocks',
		input: '<a href="https://a.test/p"><h3>Head</h3><p>Words of the card</p></a>',
		must: [/^### \[Head\]\(https:\/\/a\.test\/p\)\n\nWords of the card$/],
	},
	{
		id: 'XB-110',
		kind: 'fragment',
		symptom: 'a space that is an element',
		input: '<p>See the<span> </span><a href="https://a.test/">guide</a><span> </span>now</p>',
		must: [/^See the \[guide\]\(https:\/\/a\.test\/\) now$/],
	},
	{
		id: 'XB-113',
		kind: 'fragment',
		symptom: 'links stay at their words',
		input: '<p>by <a href="https://a.test/1">One</a>—says (with <a href="https://a.test/2">Two</a>) here</p>',
		must: [/^by \[One\]\(https:\/\/a\.test\/1\)—says \(with \[Two\]\(https:\/\/a\.test\/2\)\) here$/],
	},
	// Blocks
	{
		id: 'XB-116',
		kind: 'page',
		symptom: 'a quote between broken lines',
		input:
			'first part of it<br><br><blockquote>Eight of ten succeed, they say, if they have a manager early.</blockquote><br><br>second part of the text<br><br>',
		must: [/> Eight of ten/, /second part/],
	},
	{
		id: 'XB-121',
		kind: 'page',
		symptom: 'a drawing is no text',
		input: `<p>Look at <svg><path d="${'3 4 '.repeat(2000)}"/><title>icon</title></svg> this one, which is small.</p>`,
		must: [/Look at this one/],
		mustNot: [/3 4 3 4/],
	},
	{
		id: 'XB-122',
		kind: 'page',
		symptom: 'frames leave a link',
		input:
			'<p><iframe src="https://www.youtube.com/embed/lGL7RgHn5f0" title="Clip"></iframe></p><p><iframe src="https://clips.test/ifr/abc"></iframe></p>',
		must: [/\[Clip\]\(https:\/\/www\.youtube\.com\/watch\?v=lGL7RgHn5f0\)/, /clips\.test\/ifr\/abc/],
	},
	// Images
	{
		id: 'XB-123',
		kind: 'page',
		symptom: 'lazy images',
		input:
			'<p><img data-src="https://a.test/real.jpg" alt="A"></p><p><img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" data-original="https://a.test/two.jpg" alt="B"></p>',
		must: [/!\[A\]\(https:\/\/a\.test\/real\.jpg\)/, /!\[B\]\(https:\/\/a\.test\/two\.jpg\)/],
		mustNot: [/R0lGOD/],
	},
	{
		id: 'XB-125',
		kind: 'page',
		symptom: 'a good src is not given up',
		input: '<p><img src="https://a.test/-1x-1.png" data-thumb-src="https://a.test/60x-1.png" alt="chart"></p>',
		must: [/-1x-1\.png/],
		mustNot: [/60x-1/],
	},
	{
		id: 'XB-126',
		kind: 'page',
		symptom: 'the largest candidate',
		input:
			'<p><picture><source type="image/webp" srcset="https://a.test/s.webp 480w, https://a.test/l.webp 1600w"><img alt="P" srcset="https://a.test/s.jpg 480w, https://a.test/l.jpg 1600w"></picture></p>',
		must: [/!\[P\]\(https:\/\/a\.test\/l\.jpg\)/],
	},
	// Formulas
	{
		id: 'XB-127',
		kind: 'fragment',
		symptom: 'KaTeX says a formula twice',
		input:
			'<p>So <span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>a</mi></mrow><annotation encoding="application/x-tex">a = b^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span>a</span><span>=</span><span>b</span><span>2</span></span></span> ends</p>',
		must: [/^So \$a = b\^2\$ ends$/],
	},
	{
		id: 'XB-128',
		kind: 'fragment',
		symptom: 'MathJax keeps its source in a script',
		input:
			'<p>a <span class="MathJax_Preview">x²</span><script type="math/tex">x^2</script> b</p><script type="math/tex; mode=display">\\int_0^1 f</script>',
		must: [/^a \$x\^2\$ b\n\n\$\$\n\\int_0\^1 f\n\$\$$/],
	},
	{
		id: 'XB-129',
		kind: 'fragment',
		symptom: 'display formulas are blocks',
		input:
			'<span class="katex-display"><span class="katex"><span class="katex-mathml"><math display="block"><semantics><mrow><mi>a</mi></mrow><annotation encoding="application/x-tex">\\frac{c}{d}</annotation></semantics></math></span></span></span>',
		must: [/^\$\$\n\\frac\{c\}\{d\}\n\$\$$/],
	},
	{
		id: 'XB-130',
		kind: 'fragment',
		symptom: 'glyphs alone are no TeX',
		input:
			'<p><span class="katex"><span class="katex-html" aria-hidden="true"><span>y</span><span class="vlist">2</span></span></span></p>',
		must: [/^y\s*2$/],
	},
	{
		id: 'XB-131',
		kind: 'fragment',
		symptom: 'a formula with a picture of it',
		input:
			'<span class="mwe-math-element"><span style="display: none;"><math alttext="{\\displaystyle c^{2}}"><semantics><mrow><mi>c</mi></mrow><annotation encoding="application/x-tex">{\\displaystyle c^{2}}</annotation></semantics></math></span><img src="https://a.test/svg/1" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle c^{2}}"></span>',
		must: [/^\$c\^\{2\}\$$/],
	},
	// Selection
	{
		id: 'XB-132',
		kind: 'page',
		symptom: 'hidden text',
		input:
			'<p style="visibility: hidden">SECRET1 is hidden, and long enough to be taken for a paragraph.</p><div hidden><p>SECRET2</p></div><p style="display:none">SECRET3</p>',
		must: [/number 1 tells/],
		mustNot: [/SECRET/],
	},
	{
		id: 'XB-133',
		kind: 'page',
		symptom: 'a custom property hides nothing',
		style: '--footer-display: none; --x: hidden',
		input: '<p>The tail of the article, a sentence that belongs to it.</p>',
		must: [/number 1 tells/, /The tail of the article/],
	},
	{
		id: 'XB-134',
		kind: 'page',
		symptom: 'an article that is hidden until scripts run',
		name: 'invisible',
		style: 'visibility:hidden',
		input: '<p>The tail.</p>',
		must: [/number 1 tells/],
	},
	{
		id: 'XB-135',
		kind: 'page',
		symptom: 'links that hold /category',
		input:
			'<ul><li><a href="https://a.test/docs/category/guides">Guides and tutorials</a> — 12 items</li><li><a href="https://a.test/docs/category/api">API reference</a> — 40 items</li></ul>',
		must: [/Guides and tutorials/, /API reference/],
	},
	{
		id: 'XB-138',
		kind: 'page',
		symptom: 'short sections around a table',
		input:
			'<h3>Who can apply</h3><div><p>Whoever lives in the town.</p></div><table><tr><th>Amount</th></tr><tr><td>500</td></tr></table><h3>How</h3><div><p>Send a letter.</p></div>',
		must: [/Who can apply/, /Whoever lives/, /500/, /Send a letter/],
	},
	// Robustness
	{
		id: 'XB-139',
		kind: 'fragment',
		symptom: 'thousands of quotes',
		input: `${'<blockquote>'.repeat(3000)}deep`,
		must: [/^(?:> ){8,20}deep$/],
	},
	{
		id: 'XB-140',
		kind: 'fragment',
		symptom: 'fifty thousand boxes',
		input: `${'<div>'.repeat(50_000)}x1`,
		must: [/^x1$/],
	},
	{
		id: 'XB-141',
		kind: 'fragment',
		symptom: 'a fragment',
		input: '<meta charset="utf8"><div>one</div><p>two',
		must: [/^one\n\ntwo$/],
	},
	{
		id: 'XB-142',
		kind: 'fragment',
		symptom: 'script text',
		input: "<script>new RegExp('(^s.*$')</script><p>after 5>4</p>",
		must: [/^after 5>4$/],
	},
	{
		id: 'XB-145',
		kind: 'fragment',
		symptom: 'entities without end, C1 numbers, joined emoji, direction marks',
		input: '<p>AT&ampT caf&eacute &#150; &#x1F468;&zwj;&#x1F469; שלום &rlm;(1)</p>',
		must: [/^AT&T café – 👨\u200d👩 שלום \u200f\(1\)$/],
	},
	// Metadata
	{
		id: 'XB-146',
		kind: 'metadata',
		symptom: 'og:title is only a brand',
		head: '<title>The Rain Machine: pumps that think</title><meta property="og:title" content="Koi Works"><meta name="author" content="Koi Works">',
		input: '<p>t</p>',
		field: 'page.title',
		value: 'The Rain Machine: pumps that think',
	},
	{
		id: 'XB-146',
		kind: 'metadata',
		symptom: 'and identity.title is still og:title',
		head: '<title>The Rain Machine: pumps that think</title><meta property="og:title" content="Koi Works">',
		input: '<p>t</p>',
		field: 'title',
		value: 'Koi Works',
	},
	{
		id: 'XB-147',
		kind: 'metadata',
		symptom: 'the name of the site inside a title',
		head: '<title>Branko Bisht</title><meta property="og:title" content="Branko Bisht"><meta property="og:site_name" content="Branko">',
		input: '<p>t</p>',
		field: 'page.title',
		value: 'Branko Bisht',
	},
	{
		id: 'XB-148',
		kind: 'metadata',
		symptom: 'a title of nothing but a separator',
		head: '<title> | </title><meta property="og:site_name" content="Site">',
		input: '<h1>Real head</h1><p>t</p>',
		field: 'page.title',
		value: 'Real head',
	},
	{
		id: 'XB-149',
		kind: 'metadata',
		symptom: 'the name of the site behind an entity',
		head: '<title>My piece &#8212; My Site</title><meta property="og:site_name" content="My Site">',
		input: '<p>t</p>',
		field: 'page.title',
		value: 'My piece',
	},
	{
		id: 'XB-150',
		kind: 'metadata',
		symptom: 'a colon is no separator',
		head: '<title>Game of the Week: Random Name</title>',
		input: '<h1>Game of the Week: Random Name</h1><p>t</p>',
		field: 'page.title',
		value: 'Game of the Week: Random Name',
	},
	{
		id: 'XB-152',
		kind: 'metadata',
		symptom: 'several authors',
		head: jsonLd(
			'{"@context":"http://schema.org","@type":"Article","headline":"H","author":[{"@type":"Person","name":"Ann One"},{"@type":"Person","name":"Ben Two"}]}',
		),
		input: '<p>t</p>',
		field: 'page.author',
		value: ['Ann One', 'Ben Two'],
	},
	{
		id: 'XB-153',
		kind: 'metadata',
		symptom: 'an author by reference',
		head: jsonLd(
			'{"@context":"https://schema.org","@graph":[{"@type":"Article","headline":"H","author":[{"@id":"https://a.test/#p1"}]},{"@type":"Person","@id":"https://a.test/#p1","name":"Dean Koch"}]}',
		),
		input: '<p>by <a rel="author" href="/x">by Dean Koch,</a></p>',
		field: 'page.author',
		value: ['Dean Koch'],
	},
	{
		id: 'XB-155',
		kind: 'metadata',
		symptom: 'a first block of another kind',
		head:
			jsonLd('{"@context":"https://schema.org","@type":"Review","name":"r"}') +
			jsonLd('{"@context":"https://schema.org","@type":"Article","headline":"H","author":{"name":"Dev Hart"}}'),
		input: '<p>t</p>',
		field: 'page.author',
		value: ['Dev Hart'],
	},
	{
		id: 'XB-156',
		kind: 'metadata',
		symptom: 'a name that is a person again',
		head: jsonLd(
			'{"@context":"https://schema.org","@type":"Article","headline":"H","author":{"@type":"Person","name":{"@type":"Person","name":"John Sand"}}}',
		),
		input: '<p>t</p>',
		field: 'page.author',
		value: ['John Sand'],
	},
	{
		id: 'XB-157',
		kind: 'metadata',
		symptom: 'raw line breaks and a comma too many',
		head: jsonLd(
			'{"@context":"https://schema.org","@type":"Article","headline":"line\nbreak","author":{"name":"Ray Bell"},}',
		),
		input: '<p>t</p>',
		field: 'page.author',
		value: ['Ray Bell'],
	},
	{
		id: 'XB-158',
		kind: 'metadata',
		symptom: 'comments, CDATA and escaped quotes',
		head: jsonLd(
			'/*<![CDATA[*/ {&quot;@context&quot;:&quot;https://schema.org&quot;,&quot;@type&quot;:&quot;Article&quot;,&quot;headline&quot;:&quot;H&quot;,&quot;author&quot;:{&quot;name&quot;:&quot;Esc Quist&quot;}} /*]]>*/',
		),
		input: '<p>t</p>',
		field: 'page.author',
		value: ['Esc Quist'],
	},
	{
		id: 'XB-159',
		kind: 'metadata',
		symptom: 'Open Graph under name=',
		head: '<title>Z</title><meta name="og:title" content="Named OG">',
		input: '<p>t</p>',
		field: 'title',
		value: 'Named OG',
	},
];
