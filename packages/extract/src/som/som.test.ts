import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { truncate } from './text.ts';
import { type CompileOptions, htmlToSom } from './to-som.ts';
import type { SomDocument, SomElement } from './types.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const url = 'https://example.com/page';

function compile(body: string, options: Partial<CompileOptions> = {}, head = ''): SomDocument {
	return htmlToSom(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`, url, { sha256, ...options });
}

function elements(som: SomDocument): SomElement[] {
	return som.regions.flatMap((region) => region.elements);
}

function only(body: string): SomElement {
	const all = elements(compile(body));
	expect(all).toHaveLength(1);
	return all[0]!;
}

const paragraphs = (count: number, text = 'words and words') =>
	Array.from({ length: count }, (_, n) => `<p>Paragraph ${n}: ${text}</p>`).join('');

describe('the document', () => {
	it('SOMD-02 SOMD-03 SOMD-04 version, title and language', () => {
		const som = htmlToSom('<html lang=fr><title> A \n title </title><p>x', url, { sha256 });
		expect(som).toMatchObject({ som_version: '0.1', url, title: 'A title', lang: 'fr' });
		expect(compile('<p>x')).toMatchObject({ title: '', lang: 'en' });
	});

	it('SOMD-05 SOMD-06 meta counts the source and the output, itself included', () => {
		const html = `<title>é</title><style>${'.a{color:red}'.repeat(500)}</style><p>one <a href=/a>two</a></p><button>three</button>`;
		const som = htmlToSom(html, url, { sha256 });
		expect(som.meta.html_bytes).toBe(Buffer.byteLength(html));
		expect(som.meta.som_bytes).toBe(Buffer.byteLength(JSON.stringify(som)));
		expect(som.meta).toMatchObject({ element_count: 3, interactive_count: 2 });
		expect(som.meta.som_bytes * 5).toBeLessThan(som.meta.html_bytes);
	});

	it('SOMD-07 SOMD-08 structured data, each part only when there is some', () => {
		expect(compile('<p>x')).not.toHaveProperty('structured_data');
		const ld =
			'<script type="application/ld+json">{"@type":"Thing"}</script><script type="application/ld+json">{broken</script>';
		expect(compile('<p>x', {}, ld).structured_data).toEqual({ json_ld: [{ '@type': 'Thing' }] });
		const metas = ['description', 'author', 'keywords', 'robots', 'viewport', 'generator', 'theme-color'];
		const head = `<meta charset=utf-8>${metas.map((name) => `<meta name=${name} content=v>`).join('')}
			<meta property=og:title content=T><meta name=twitter:card content=C><meta name=other content=o>`;
		expect(compile('<p>x', {}, head).structured_data).toEqual({
			open_graph: { 'og:title': 'T' },
			twitter_card: { 'twitter:card': 'C' },
			meta: { charset: 'utf-8', ...Object.fromEntries(metas.map((name) => [name, 'v'])) },
		});
	});

	it('SOMD-09 links of the listed kinds only', () => {
		const head =
			'<link rel=canonical href=/c><link rel=Icon href=/i type=image/png><link rel=stylesheet href=/s><link rel=prefetch href=/p>';
		expect(compile('<p>x', {}, head).structured_data?.links).toEqual([
			{ rel: 'canonical', href: '/c' },
			{ rel: 'icon', href: '/i', type: 'image/png' },
		]);
	});
});

describe('regions', () => {
	const roles = (body: string) => compile(body).regions.map((region) => region.role);

	it('SOMD-10 SOMD-13 landmark elements and forms', () => {
		const body = `<header>a</header><nav>b</nav><main>c<form method=post action=/go name=f><input name=q></form></main>
			<aside>d</aside><dialog>e</dialog><footer>f</footer>`;
		const som = compile(body);
		expect(som.regions.map((region) => region.id)).toEqual([
			'r_header',
			'r_navigation',
			'r_main',
			'r_form',
			'r_aside',
			'r_dialog',
			'r_footer',
		]);
		expect(som.regions[3]).toMatchObject({ role: 'form', method: 'POST', action: '/go', label: 'f' });
	});

	it('SOMD-11 a region without elements is left out', () => {
		expect(roles('<nav></nav><main><p>x</p></main>')).toEqual(['main']);
	});

	it('SOMD-12 the ARIA role decides before the tag', () => {
		expect(roles('<section role=complementary>a</section><div role=search>b</div>')).toEqual(['aside', 'navigation']);
		expect(roles('<nav role=banner>a</nav><div role=contentinfo>b</div><div role=alertdialog>c</div>')).toEqual([
			'header',
			'footer',
			'dialog',
		]);
	});

	it('SOMD-14 class and id, by their words', () => {
		const byClass = (name: string) => roles(`<div class="${name}"><p>x</p></div>`)[0];
		expect(['masthead', 'nav-menu', 'main-content', 'sidebar', 'site-footer'].map(byClass)).toEqual([
			'header',
			'navigation',
			'main',
			'aside',
			'footer',
		]);
		expect(['domain', 'trail', 'remains', 'canvas', 'subheadered'].map(byClass)).toEqual(Array(5).fill('content'));
	});

	it('SOMD-15 many links or legal wording, unless main or article stands inside', () => {
		const links = '<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a><a href=/4>4</a>';
		expect(roles(`<div>${links}<p>x</p></div>`)).toEqual(['navigation']);
		expect(roles(`<ul>${links.replace(/<a.*?<\/a>/g, '<li>$&</li>')}</ul>`)).toEqual(['navigation']);
		expect(roles('<div>All rights reserved</div>')).toEqual(['footer']);
		const article = '<article>x</article>';
		expect(roles(`<div>${links}${article}</div>`)).toEqual(['content']);
		expect(roles(`<div>All rights reserved ${article}</div>`)).toEqual(['content']);
	});

	it('SOMD-16 elements outside landmarks are content', () => {
		expect(compile('<h1>a</h1><p>b</p>').regions).toMatchObject([{ id: 'r_content', elements: [{}, {}] }]);
	});

	it('SOMD-17 ids count within a role', () => {
		expect(compile('<nav>a</nav><nav>b</nav><nav>c</nav>').regions.map((region) => region.id)).toEqual([
			'r_navigation',
			'r_navigation_1',
			'r_navigation_2',
		]);
	});
});

describe('elements', () => {
	it('SOMD-18 SOMD-19 roles and their actions', () => {
		const body = `<a href=/a>a</a><button>b</button><input type=text><textarea></textarea><select><option>o</select>
			<input type=checkbox><input type=radio><details><summary>s</summary></details><h2>h</h2><img src=/i alt=i>
			<ul><li>l</ul><table><tr><th>t</table><p>p</p><section aria-label=s>x</section><fieldset><legend>g</legend></fieldset><hr>
			<iframe src=/f></iframe>`;
		const found = elements(compile(body)).map((element) => [element.role, element.actions?.join(' ') ?? '-']);
		expect(found).toEqual([
			['link', 'click'],
			['button', 'click'],
			['text_input', 'type clear'],
			['textarea', 'type clear'],
			['select', 'select'],
			['checkbox', 'toggle'],
			['radio', 'select'],
			['details', 'toggle'],
			['heading', '-'],
			['image', '-'],
			['list', '-'],
			['table', '-'],
			['paragraph', '-'],
			['section', '-'],
			['paragraph', '-'],
			['group', '-'],
			['separator', '-'],
			['iframe', '-'],
		]);
	});

	it('SOMD-20 attributes by role, and the HTML id', () => {
		expect(only('<h2 id=x>T</h2>')).toMatchObject({ html_id: 'x', attrs: { level: 2 } });
		const plain = only('<p>T</p>');
		expect(plain).not.toHaveProperty('attrs');
		expect(plain).not.toHaveProperty('html_id');
		expect(only('<a href=/x>T</a>').attrs).toEqual({ href: '/x' });
		expect(only('<img src=/i.png alt=A>').attrs).toEqual({ alt: 'A', src: '/i.png' });
	});

	it('SOMD-21 form controls keep their state', () => {
		const body = `<input type=email value=v placeholder=p required disabled><input type=checkbox checked>
			<input type=radio name=g><select><optgroup label=G><option value=1>One<option value=2 selected>Two</select>`;
		expect(elements(compile(body)).map((element) => element.attrs)).toEqual([
			{ input_type: 'email', value: 'v', placeholder: 'p', required: true, disabled: true },
			{ checked: true },
			{ group: 'g' },
			{
				options: [
					{ value: '1', text: 'One', group: 'G' },
					{ value: '2', text: 'Two', selected: true, group: 'G' },
				],
				value: '2',
			},
		]);
		expect(only('<input type=password value=secret>').attrs).toEqual({ input_type: 'password' });
	});

	it('SOMD-22 details, group, iframe and section', () => {
		const attrs = (body: string) => elements(compile(body))[0]?.attrs;
		expect(attrs('<details open><summary>S</summary>x</details>')).toEqual({ summary: 'S', open: true });
		expect(attrs('<fieldset disabled><legend>L</legend></fieldset>')).toEqual({ legend: 'L', disabled: true });
		expect(attrs('<iframe src=/f sandbox=allow-forms></iframe>')).toEqual({ src: '/f', sandbox: 'allow-forms' });
		expect(attrs('<section aria-label=A>x</section>')).toMatchObject({ section_label: 'A' });
	});

	it('SOMD-23 keeps attributes that make an element actionable', () => {
		const button = elements(
			compile('<div role=button tabindex=0 data-testid=go aria-describedby=d>Go</div><p id=d>Help</p>'),
		)[0];
		expect(button?.attrs).toMatchObject({ tabindex: 0, test_id: 'go', description: 'Help', source_role: 'button' });
	});

	it('SOMD-24 ARIA states', () => {
		const body = '<a href=/a aria-current=page aria-expanded=true aria-live=true>x</a>';
		expect(only(body).attrs?.aria).toEqual({ current: 'page', expanded: true, live: 'true' });
		expect(only('<a href=/a aria-pressed=mixed>x</a>').attrs).not.toHaveProperty('aria');
	});

	it('SOMD-25 the ARIA role decides before the tag', () => {
		const found = elements(
			compile('<div role=button>a</div><span role=link>b</span><div role=slider aria-label=c></div>'),
		);
		expect(found.map((element) => element.role)).toEqual(['button', 'link', 'text_input']);
	});

	it('SOMD-26 anchors without href and hidden inputs are nothing, inputs go by their type', () => {
		const body = '<a></a><input type=hidden><input type=submit value=S><input type=checkbox><input type=email>';
		expect(elements(compile(body)).map((element) => element.role)).toEqual(['button', 'checkbox', 'text_input']);
		expect(elements(compile('<a>Only text</a>')).map((element) => element.role)).toEqual(['paragraph']);
	});

	it('SOMD-27 the label comes from the first source that there is', () => {
		const label = (attributes: string, external = '<label for=i>For</label>') =>
			elements(compile(`<b hidden id=l>By</b>${external}<input id=i ${attributes}>`)).at(-1)?.label;
		const all = 'aria-labelledby=l aria-label=Aria title=Title placeholder=Place';
		expect(label(all)).toBe('By');
		expect(label('aria-label=Aria title=Title placeholder=Place')).toBe('Aria');
		expect(label('title=Title placeholder=Place')).toBe('For');
		expect(label('title=Title placeholder=Place', '')).toBe('Title');
		expect(label('placeholder=Place', '')).toBe('Place');
		expect(only('<button aria-label=Go>Go</button>')).not.toHaveProperty('label');
	});

	it('SOMD-28 text is normalised and cut', () => {
		expect(only('<p>  a\n\t b&nbsp; c </p>').text).toBe('a b c');
		const sentence = `${'Word '.repeat(25)}end. ${'more '.repeat(60)}`;
		expect(only(`<p>${sentence}</p>`).text).toBe(`${'Word '.repeat(25)}end.`);
		const cut = only(`<p>${'endless '.repeat(60)}</p>`).text!;
		expect(cut).toMatch(/^(endless )+endless\.\.\.$/);
		expect(cut.length).toBeLessThanOrEqual(200);
		for (let max = 0; max < 40; max++) expect(truncate('😀 '.repeat(30), max).length).toBeLessThanOrEqual(max);
	});

	it('SOMD-29 hints', () => {
		expect(only('<button class="btn-danger is-active btn-danger">x</button>').hints).toEqual(['active', 'danger']);
		expect(only('<button class="algorithm discard">x</button>')).not.toHaveProperty('hints');
	});
});

describe('hidden elements', () => {
	it('SOMD-30 is removed', () => {
		const body = `<script>M1</script><style>.M2{}</style><noscript>M3</noscript><template>M4</template><!-- M5 -->
			<p hidden>M6</p><p aria-hidden=true>M7</p><p style="display:none">M8</p><p style="visibility: hidden">M9</p>
			<img alt="" src=/M10><img role=presentation src=/M11 alt=x><svg><title>M12</title></svg><svg role=img aria-label=Kept></svg>`;
		const text = JSON.stringify(compile(body, {}, '<meta name=x content=M13>'));
		expect(text.match(/M\d+/g)).toBeNull();
		expect(text).toContain('Kept');
	});

	it('SOMD-31 by style rules, unless shown again', () => {
		const style =
			'<style>.gone{display:none} .back{display:none} .back{display:block} #one{opacity:0} @media print{.p{display:none}}</style>';
		const body = '<p class=gone>G</p><p class=back>B</p><p id=one>O</p><p class=p>P</p>';
		expect(elements(compile(body, {}, style)).map((element) => element.text)).toEqual(['B', 'P']);
	});

	it('SOMD-32 layout tables dissolve', () => {
		expect(
			elements(compile('<table cellpadding=0><tr><td>a<td>b<td>c</table>')).map((element) => element.text),
		).toEqual(['a', 'b', 'c']);
		expect(only('<table cellpadding=0><tr><th>a<tr><td>b</table>')).toMatchObject({
			role: 'table',
			attrs: { headers: ['a'], rows: [['b']] },
		});
	});

	it('SOMD-33 wrappers collapse', () => {
		expect(only(`${'<div>'.repeat(5)}<p>x</p>${'</div>'.repeat(5)}`)).toMatchObject({ role: 'paragraph', text: 'x' });
	});
});

describe('ids', () => {
	it('SOMD-34 are hashes of origin, role, name and path', () => {
		const html = '<body><div><p>First</p></div><main><h1> Big  Title </h1></main></body>';
		const hash = (text: string) => `e_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
		const som = htmlToSom(html, 'https://example.com:443/x', { sha256 });
		expect(elements(som).map((element) => element.id)).toEqual([
			hash('https://example.com|paragraph|first|0/0'),
			hash('https://example.com|heading|big title|1/0'),
		]);
		expect(htmlToSom(html, 'https://example.com/x', { sha256 })).toEqual({
			...som,
			url: 'https://example.com/x',
			meta: expect.anything(),
		});
	});

	it('SOMD-35 are unique', () => {
		const constant = () => new Uint8Array(32);
		const ids = elements(htmlToSom('<p>a</p><p>b</p><p>c</p>', url, { sha256: constant })).map((element) => element.id);
		expect(ids).toEqual(['e_000000000000', 'e_000000000000_2', 'e_000000000000_3']);
	});

	it('do not change when something else on the page does', () => {
		const before = elements(compile('<main><h1>T</h1><p>a</p><p>b</p></main>'));
		const after = elements(compile('<main><h1>T</h1><p>changed</p><p>b</p></main>'));
		expect([after[0]?.id, after[2]?.id]).toEqual([before[0]?.id, before[2]?.id]);
		expect(after[1]?.id).not.toBe(before[1]?.id);
	});
});

describe('budgets', () => {
	it('SOMD-36 one link for one place', () => {
		const body = '<main><a href=/a>1</a> <a href=/a/>2</a> <a href=/A#x>3</a></main>';
		expect(elements(compile(body)).map((element) => element.text)).toEqual(['1', '[2 duplicate links, ~2 chars]']);
	});

	it('SOMD-37 SOMD-40 paragraphs in main are cut, ten are kept, the rest is announced', () => {
		const found = elements(compile(`<main>${paragraphs(14, 'x '.repeat(200))}</main>`));
		const lengths = found.slice(0, -1).map((element) => element.text!.length);
		expect(lengths).toHaveLength(10);
		expect(lengths[0]).toBeLessThanOrEqual(200);
		expect(lengths[0]).toBeGreaterThan(80);
		expect(Math.max(...lengths.slice(1))).toBeLessThanOrEqual(80);
		expect(found.at(-1)).toMatchObject({
			role: 'paragraph',
			text: expect.stringMatching(/^\[4 more paragraphs, ~\d+ chars\]$/),
		});
	});

	it('SOMD-38 SOMD-40 caps on links and elements', () => {
		const links = (count: number) => Array.from({ length: count }, (_, n) => `<a href=/${n}>${n}</a> `).join('');
		const inNav = elements(compile(`<nav>${links(300)}</nav>`));
		expect(inNav.filter((element) => element.role === 'link')).toHaveLength(80);
		expect(inNav.at(-1)?.text).toContain('220 more links');
		expect(elements(compile(`<main>${links(300)}</main>`)).filter((element) => element.role === 'link')).toHaveLength(
			200,
		);
		const images = Array.from({ length: 1000 }, (_, n) => `<img src=/${n} alt=${n}>`).join('');
		const many = elements(compile(`<main>${images}</main>`));
		expect(many).toHaveLength(401);
		expect(many.at(-1)?.text).toContain('600 more elements dropped');
	});

	it('SOMD-39 controls and headings stay past the cap', () => {
		const images = Array.from({ length: 500 }, (_, n) => `<img src=/${n} alt=${n}>`).join('');
		const controls = Array.from({ length: 20 }, (_, n) => `<h2>H${n}</h2><input aria-label=I${n}>`).join('');
		const found = elements(compile(`<main>${images}${controls}</main>`));
		expect(found.filter((element) => element.role === 'heading')).toHaveLength(20);
		expect(found.filter((element) => element.role === 'text_input')).toHaveLength(20);
	});

	it('SOMD-41 SOMD-43 lists say how many items are missing; the limit can be set', () => {
		const list = `<main><ul>${Array.from({ length: 8 }, (_, n) => `<li>${n}`).join('')}</ul></main>`;
		const items = (options: Partial<CompileOptions>) =>
			elements(compile(list, options))[0]?.attrs?.items?.map((item) => item.text);
		expect(items({})).toEqual(['0', '1', '2', '3', '4', '[3 more items]']);
		expect(items({ budget: { maxListItems: 7 } })).toEqual(['0', '1', '2', '3', '4', '5', '6', '[1 more items]']);
		expect(items({ budget: 'none' })).toHaveLength(8);
	});

	it('SOMD-42 tables and lists carry no text and keep their limits', () => {
		const row = (tag: string, n: number) =>
			`<tr>${Array.from({ length: 12 }, (_, c) => `<${tag}>${n}.${c} ${'x'.repeat(100)}`).join('')}`;
		const table = `<table>${row('th', 0)}${Array.from({ length: 30 }, (_, n) => row('td', n + 1)).join('')}</table>`;
		const found = only(`<main>${table}</main>`);
		expect(found).not.toHaveProperty('text');
		expect(found.attrs?.rows).toHaveLength(20);
		expect(found.attrs?.rows?.at(-1)).toEqual(['[11 more rows]']);
		expect(Math.max(...found.attrs!.rows!.map((cells) => cells.length))).toBe(8);
		expect(Math.max(...found.attrs!.rows!.flat().map((cell) => cell.length))).toBeLessThanOrEqual(80);
	});
});

it('keeps the order and the links of running text', () => {
	expect(elements(compile('<p>Read <a href=/m>the manual</a> first.</p><p>Then go.</p>'))).toMatchObject([
		{ role: 'paragraph', text: 'Read the manual first.' },
		{ role: 'link', text: 'the manual' },
		{ role: 'paragraph', text: 'Then go.' },
	]);
});

it('shows what stands in a declarative shadow root', () => {
	const [host] = elements(compile('<my-card><template shadowrootmode=open><p>Inside</p></template></my-card>'));
	expect(host).toMatchObject({
		role: 'section',
		shadow: { mode: 'open', elements: [{ role: 'paragraph', text: 'Inside' }] },
	});
});
