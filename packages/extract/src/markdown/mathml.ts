import type { Element, Node } from '../dom/node.ts';

const names: Readonly<Record<string, string>> = {
	α: '\\alpha',
	β: '\\beta',
	γ: '\\gamma',
	δ: '\\delta',
	ε: '\\epsilon',
	ζ: '\\zeta',
	η: '\\eta',
	θ: '\\theta',
	ι: '\\iota',
	κ: '\\kappa',
	λ: '\\lambda',
	μ: '\\mu',
	ν: '\\nu',
	ξ: '\\xi',
	π: '\\pi',
	ρ: '\\rho',
	σ: '\\sigma',
	τ: '\\tau',
	υ: '\\upsilon',
	φ: '\\phi',
	χ: '\\chi',
	ψ: '\\psi',
	ω: '\\omega',
	ϵ: '\\epsilon',
	ϕ: '\\phi',
	Γ: '\\Gamma',
	Δ: '\\Delta',
	Θ: '\\Theta',
	Λ: '\\Lambda',
	Ξ: '\\Xi',
	Π: '\\Pi',
	Σ: '\\Sigma',
	Φ: '\\Phi',
	Ψ: '\\Psi',
	Ω: '\\Omega',
	'∑': '\\sum',
	'∏': '\\prod',
	'∫': '\\int',
	'∬': '\\iint',
	'∮': '\\oint',
	'∞': '\\infty',
	'∂': '\\partial',
	'∇': '\\nabla',
	'√': '\\surd',
	'±': '\\pm',
	'∓': '\\mp',
	'×': '\\times',
	'÷': '\\div',
	'⋅': '\\cdot',
	'·': '\\cdot',
	'∘': '\\circ',
	'∗': '*',
	'−': '-',
	'≤': '\\le',
	'≥': '\\ge',
	'≠': '\\ne',
	'≈': '\\approx',
	'≡': '\\equiv',
	'∼': '\\sim',
	'≃': '\\simeq',
	'∝': '\\propto',
	'→': '\\to',
	'←': '\\leftarrow',
	'↔': '\\leftrightarrow',
	'⇒': '\\Rightarrow',
	'⇐': '\\Leftarrow',
	'⇔': '\\Leftrightarrow',
	'↦': '\\mapsto',
	'∈': '\\in',
	'∉': '\\notin',
	'∋': '\\ni',
	'⊂': '\\subset',
	'⊃': '\\supset',
	'⊆': '\\subseteq',
	'⊇': '\\supseteq',
	'∪': '\\cup',
	'∩': '\\cap',
	'∅': '\\emptyset',
	'∀': '\\forall',
	'∃': '\\exists',
	'¬': '\\neg',
	'∧': '\\land',
	'∨': '\\lor',
	'⊕': '\\oplus',
	'⊗': '\\otimes',
	'…': '\\dots',
	'⋯': '\\cdots',
	'⋮': '\\vdots',
	'⋱': '\\ddots',
	'⟨': '\\langle',
	'⟩': '\\rangle',
	'⌊': '\\lfloor',
	'⌋': '\\rfloor',
	'⌈': '\\lceil',
	'⌉': '\\rceil',
	'‖': '\\|',
	'∥': '\\parallel',
	'⊥': '\\perp',
	'∠': '\\angle',
	'°': '^\\circ',
	ℝ: '\\mathbb{R}',
	ℕ: '\\mathbb{N}',
	ℤ: '\\mathbb{Z}',
	ℚ: '\\mathbb{Q}',
	ℂ: '\\mathbb{C}',
	ℏ: '\\hbar',
	ℓ: '\\ell',
	'′': "'",
	'{': '\\{',
	'}': '\\}',
	'%': '\\%',
	'&': '\\&',
	'#': '\\#',
	$: '\\$',
	_: '\\_',
	'\u2061': '',
	'\u2062': '',
	'\u2063': '',
	'\u2064': '',
	'\u00a0': ' ',
	'\u200b': '',
};
/** Names that TeX has as commands, set upright. */
const functions =
	/^(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|arcsin|arccos|arctan|log|ln|lg|exp|lim|max|min|sup|inf|det|dim|ker|deg|gcd|arg|Pr)$/;
const accents: Readonly<Record<string, string>> = {
	'^': '\\hat',
	ˆ: '\\hat',
	'~': '\\tilde',
	'˜': '\\tilde',
	'¯': '\\bar',
	'‾': '\\overline',
	'→': '\\vec',
	'⃗': '\\vec',
	'˙': '\\dot',
	'¨': '\\ddot',
	'⏞': '\\overbrace',
	_: '\\underline',
	'⏟': '\\underbrace',
};
/** Operators that have their limits above and below. */
const limits = /^(?:\\sum|\\prod|\\int|\\iint|\\oint|\\lim|\\max|\\min|\\sup|\\inf|\\bigcup|\\bigcap)$/;

/** Presentation MathML (MathML Core §3) as TeX. Unknown elements give what is in them. */
export function mathmlToTex(math: Element): string {
	const tex = row(math.children).replace(/\s+/g, ' ').trim();
	return tex.replace(fenced, (whole, open: string, cells: string, close: string) => {
		const name = matrices[open + close];
		return name === undefined ? whole : `\\begin{${name}} ${cells} \\end{${name}}`;
	});
}

/** A matrix in brackets has a name of its own. */
const fenced = /([[(|])\s*\\begin\{matrix\} ((?:(?!\\begin|\\end)[\s\S])*?) \\end\{matrix\}\s*([\])|])/g;
const matrices: Readonly<Record<string, string>> = { '[]': 'bmatrix', '()': 'pmatrix', '||': 'vmatrix' };

function row(nodes: readonly Node[]): string {
	let out = '';
	for (const node of nodes) {
		const tex = node.kind === 'text' ? (node.data.trim() === '' ? '' : symbols(node.data.trim())) : convert(node);
		// A command ends where no letter follows.
		out += /\\[a-zA-Z]+$/.test(out) && /^[a-zA-Z]/.test(tex) ? ` ${tex}` : tex;
	}
	return out;
}

function symbols(text: string): string {
	let out = '';
	for (const character of text) {
		const name = names[character] ?? character;
		out += /\\[a-zA-Z]+$/.test(out) && /^[a-zA-Z]/.test(name) ? ` ${name}` : name;
	}
	return out;
}

function convert(element: Element): string {
	const parts = element.children.filter((child): child is Element => child.kind === 'element');
	const part = (index: number): string => (parts[index] === undefined ? '' : row([parts[index]!]));
	switch (element.tag) {
		case 'mi': {
			const name = text(element);
			if (functions.test(name)) return `\\${name}`;
			return name.length > 1 && /^[a-zA-Z]+$/.test(name) ? `\\mathrm{${name}}` : symbols(name);
		}
		case 'mn':
			return symbols(text(element));
		case 'mo': {
			const tex = symbols(text(element));
			return functions.test(tex)
				? `\\${tex}`
				: // Binary operators and relations, with spaces around them.
					/^(?:[=<>+-]|\\(?:le|ge|ne|approx|equiv|to|in|times|pm|Rightarrow|Leftrightarrow|subset|subseteq|cup|cap|land|lor|sim|cdot))$/.test(
							tex,
						)
					? ` ${tex} `
					: tex;
		}
		case 'mtext':
		case 'ms': {
			const content = text(element);
			return content.trim() === '' ? ' ' : `\\text{${content}}`;
		}
		case 'mspace':
			return ' ';
		case 'mfrac':
			return element.attributes.linethickness?.startsWith('0')
				? `\\binom{${part(0)}}{${part(1)}}`
				: `\\frac{${part(0)}}{${part(1)}}`;
		case 'msqrt':
			return `\\sqrt{${row(element.children)}}`;
		case 'mroot':
			return `\\sqrt[${part(1)}]{${part(0)}}`;
		case 'msub':
			return `${base(part(0))}_${group(part(1))}`;
		case 'msup':
			return superscript(base(part(0)), part(1));
		case 'msubsup':
			return `${base(part(0))}_${group(part(1))}^${group(part(2))}`;
		case 'munder':
			return under(part(0), part(1));
		case 'mover':
			return over(part(0), part(1));
		case 'munderover':
			return limits.test(part(0))
				? `${part(0)}_${group(part(1))}^${group(part(2))} `
				: `\\overset{${part(2)}}{\\underset{${part(1)}}{${part(0)}}}`;
		case 'mfenced':
			return `${symbols(element.attributes.open ?? '(')}${parts.map((_, i) => part(i)).join(symbols(element.attributes.separators?.trim()[0] ?? ','))}${symbols(element.attributes.close ?? ')')}`;
		case 'mtable':
			return `\\begin{matrix} ${parts.map((line) => cells(line)).join(' \\\\ ')} \\end{matrix}`;
		case 'semantics':
			return part(0);
		case 'annotation':
		case 'annotation-xml':
		case 'mphantom':
			return '';
		default:
			return row(element.children);
	}
}

function cells(line: Element): string {
	const columns = line.children.filter((child): child is Element => child.kind === 'element');
	return columns.map((cell) => row(cell.children).trim()).join(' & ');
}

function text(element: Element): string {
	return element.children
		.map((child) => (child.kind === 'text' ? child.data : text(child)))
		.join('')
		.trim();
}

/** One character needs no braces. */
function group(tex: string): string {
	const inner = tex.trim();
	return inner.length === 1 ? inner : `{${inner}}`;
}

/** Something that already has an index is grouped, or the two would clash. */
function base(tex: string): string {
	const inner = tex.trim();
	return /[_^]/.test(inner) && !/^\\[a-z]+\{[^{}]*\}$/i.test(inner) ? `{${inner}}` : inner;
}

function superscript(of: string, exponent: string): string {
	return /^'+$/.test(exponent) ? of + exponent : `${of}^${group(exponent)}`;
}

function under(of: string, below: string): string {
	if (limits.test(of.trim())) return `${of.trim()}_${group(below)} `;
	const accent = accents[below.trim()];
	return accent === undefined ? `\\underset{${below}}{${of}}` : `${accent}{${of}}`;
}

function over(of: string, above: string): string {
	if (limits.test(of.trim())) return `${of.trim()}^${group(above)} `;
	const accent = accents[above.trim()] ?? (above.trim() === '\\to' ? '\\vec' : undefined);
	return accent === undefined ? `\\overset{${above}}{${of}}` : `${accent}{${of}}`;
}
