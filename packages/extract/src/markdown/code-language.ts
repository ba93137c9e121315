import type { Element } from '../dom/node.ts';
import { walk } from '../dom/walk.ts';

/** How far above the code its language may be written. */
const levels = 3;
const languageAttributes = [
	'data-lang',
	'data-language',
	'data-enlighter-language',
	'data-code-language',
	'data-tagsearch-lang',
	'data-programming-language',
	'language',
];
/** Language names that name no language. */
const none =
	/^(?:none|no-?highlight|text|txt|plain|plain-?text|plaintext|undefined|default|auto|unknown|output|generic)$/;
const namePattern = /^[a-z][a-z\d+#._-]{0,29}$/;

/** Languages that may stand as a bare class beside a highlighter's own: `class="hljs python"`. */
const bare = new Set(
	'bash sh shell zsh console powershell batch python py python3 javascript js jsx typescript ts tsx json yaml yml toml xml html css scss sass less java kotlin scala groovy c cpp c++ csharp cs fsharp go golang rust ruby rb php perl lua r swift objectivec objc dart elixir erlang haskell clojure sql graphql diff ini makefile cmake dockerfile docker nginx apache vim latex tex matlab julia protobuf http markdown md vue svelte solidity terraform hcl nix zig ocaml lisp scheme prolog fortran pascal delphi vb vbnet asm wasm awk sed tcl'.split(
		' ',
	),
);
/** Classes that highlighters set beside the language. */
const highlighter =
	/(?:^|\s)(?:hljs|highlight|sourceCode|prettyprint|prism-code|chroma|codehilite|src|EnlighterJSRAW|crayon-\S+|code|sh_\w+)(?=\s|$)/;

/** The language of a block of code, in lower case, or nothing: from the code, what it holds and what holds it. */
export function languageOf(element: Element): string {
	const inner = element.children.find(
		(child) => child.kind === 'element' && (child.tag === 'code' || child.tag === 'pre'),
	);
	const candidates: Element[] = inner?.kind === 'element' ? [inner, element] : [element];
	// `pre > pre.playground > code`
	const inmost =
		candidates[0]!.tag === 'pre'
			? candidates[0]!.children.find((child) => child.kind === 'element' && child.tag === 'code')
			: undefined;
	if (inmost?.kind === 'element' && inmost !== candidates[0]) candidates.unshift(inmost);
	// In a table with a gutter the code stands beside its line numbers.
	if (element.tag === 'table') candidates.unshift(...codesIn(element));
	const own = candidates.length;
	let parent = element.parent;
	for (let level = 0; parent !== null && level < levels; level++, parent = parent.parent) candidates.push(parent);
	for (const candidate of candidates) {
		const language = declared(candidate, candidates.indexOf(candidate) < own);
		if (language !== undefined) return none.test(language) ? '' : language;
	}
	return '';
}

/** The first few `<pre>` and `<code>` elements of a table. */
function codesIn(table: Element): Element[] {
	const found: Element[] = [];
	walk(table, (node) => {
		if (node.kind === 'element' && (node.tag === 'code' || node.tag === 'pre')) found.push(node);
		return found.length < 6;
	});
	return found;
}

function declared({ attributes, tag }: Element, isCode: boolean): string | undefined {
	for (const name of languageAttributes) {
		const value = clean(attributes[name]);
		if (value !== undefined) return value;
	}
	const brush = clean(/brush:\s*([\w+#.-]+)/.exec(attributes['data-syntaxhighlighter-params'] ?? '')?.[1]);
	if (brush !== undefined) return brush;
	if (isCode && tag === 'pre') {
		const value = clean(attributes.lang);
		if (value !== undefined && bare.has(value)) return value;
	}
	return fromClass(attributes.class ?? '', isCode);
}

function fromClass(names: string, isCode: boolean): string | undefined {
	if (names === '' || names.length > 1000) return undefined;
	// `language-x`, `lang:x`, `brush_x` and the like, but not names of boxes that start in the same way.
	const match =
		/(?:^|\s)(?:language|lang|mw-highlight-lang|highlight-source|highlight-text|code|syntax|brush|sh)[-_:]\s?(?!with\b|annotation|block\b|box\b|wrap|container|example|snippet|toolbar|line|block|highlight|area|view|group|tab|frame|body|inner|content|copy|cell|header|title|element|sample)([\w+#.-]+)/i.exec(
			names,
		) ??
		/(?:^|\s)brush:\s*([\w+#.-]+)/i.exec(names) ??
		// Sphinx writes `highlight-x notranslate`.
		/(?:^|\s)highlight-(?!source|text)([\w+#.]+)(?=\s.*\bnotranslate\b)/i.exec(names);
	const named = clean(match?.[1]) ?? clean(/(?:^|\s)enlighter-l-([\w+#.-]+)/.exec(names)?.[1]);
	// Notebooks: `highlight hl-ipython3`.
	if (/(?:^|\s)hl-ipython\d?(?=\s|$)/.test(names)) return 'python';
	// Prism: `language-diff-js` is a diff.
	if (named !== undefined) return named.startsWith('diff-') ? 'diff' : named;
	if (!isCode && !highlighter.test(names)) return undefined;
	return names
		.toLowerCase()
		.split(/\s+/)
		.find((name) => bare.has(name));
}

function clean(value: string | undefined): string | undefined {
	const name = value
		?.trim()
		.toLowerCase()
		.split(/[\s,;{:]/)[0];
	return name !== undefined && namePattern.test(name) ? name : undefined;
}
