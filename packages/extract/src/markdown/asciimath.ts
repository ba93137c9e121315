/** Names and signs of AsciiMath that TeX spells otherwise. */
const symbols = new Map<string, string>(
	Object.entries({
		'+-': '\\pm',
		'-+': '\\mp',
		'*': '\\cdot',
		'**': '\\ast',
		xx: '\\times',
		'-:': '\\div',
		'<=': '\\le',
		'>=': '\\ge',
		'!=': '\\ne',
		'-=': '\\equiv',
		'~=': '\\cong',
		'~~': '\\approx',
		'->': '\\to',
		'=>': '\\Rightarrow',
		'<=>': '\\Leftrightarrow',
		'|->': '\\mapsto',
		oo: '\\infty',
		del: '\\partial',
		grad: '\\nabla',
		'...': '\\dots',
		AA: '\\forall',
		EE: '\\exists',
		'!in': '\\notin',
		sub: '\\subset',
		sube: '\\subseteq',
		sup: '\\supset',
		uu: '\\cup',
		nn: '\\cap',
		'^^': '\\wedge',
		vv: '\\vee',
		not: '\\neg',
		NN: '\\mathbb{N}',
		ZZ: '\\mathbb{Z}',
		QQ: '\\mathbb{Q}',
		RR: '\\mathbb{R}',
		CC: '\\mathbb{C}',
	}),
);
/** Names that are the same in TeX. */
const sameNames =
	'alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega sum prod int oint lim sin cos tan cot sec csc log ln exp min max det dim gcd in infty cdots ldots';
for (const name of sameNames.split(' ')) symbols.set(name, `\\${name}`);
const unaryNames = new Map([
	['sqrt', 'sqrt'],
	['hat', 'hat'],
	['bar', 'overline'],
	['vec', 'vec'],
	['dot', 'dot'],
	['ddot', 'ddot'],
	['tilde', 'tilde'],
	['ul', 'underline'],
	['bb', 'mathbf'],
	['cc', 'mathcal'],
	['text', 'text'],
]);
const binaryNames: ReadonlySet<string> = new Set(['frac', 'root', 'stackrel']);
const words = [...symbols.keys(), ...unaryNames.keys(), ...binaryNames].toSorted((a, b) => b.length - a.length);
const closing = new Map([
	['(', ')'],
	['[', ']'],
	['{', '}'],
]);
const isClosing = (token: string): boolean => token === ')' || token === ']' || token === '}';
/** Nested deeper, a formula is written as it stands. */
const maxDepth = 64;

/** The TeX of a formula in AsciiMath; `undefined` where it nests too deep. */
export function asciiMathToTex(source: string): string | undefined {
	const tokens = tokensOf(source.trim());
	let at = 0;
	let tooDeep = false;
	const simple = (depth: number, isOperand: boolean): string => {
		const token = tokens[at++] ?? '';
		if (depth > maxDepth) {
			tooDeep = true;
			return '';
		}
		if (token.startsWith('"')) return `\\text{${token.slice(1, -1)}}`;
		const unary = unaryNames.get(token);
		if (unary !== undefined) return `\\${unary}{${simple(depth + 1, true)}}`;
		if (binaryNames.has(token)) {
			const first = simple(depth + 1, true);
			const second = simple(depth + 1, true);
			return token === 'root' ? `\\sqrt[${first}]{${second}}` : `\\${token}{${first}}{${second}}`;
		}
		if (!closing.has(token)) return symbols.get(token) ?? token;
		const inside = expression(depth + 1);
		const close = isClosing(tokens[at] ?? '') ? (tokens[at++] ?? '') : '';
		if (isOperand && close === closing.get(token)) return inside;
		return `${token === '{' ? '\\{' : token}${inside}${close === '}' ? '\\}' : close}`;
	};
	const scripted = (depth: number, isOperand: boolean): string => {
		let tex = simple(depth, isOperand || divides(tokens, at));
		for (const sign of ['_', '^'])
			if (tokens[at] === sign) {
				at++;
				tex += `${sign}{${simple(depth + 1, true)}}`;
			}
		return tex;
	};
	const expression = (depth: number): string => {
		const parts: string[] = [];
		while (at < tokens.length && !isClosing(tokens[at] ?? '') && !tooDeep) {
			const first = scripted(depth, false);
			if (tokens[at] !== '/') parts.push(first);
			else {
				at++;
				parts.push(`\\frac{${first}}{${scripted(depth + 1, true)}}`);
			}
		}
		return parts.join(' ');
	};
	let tex = '';
	while (at < tokens.length && !tooDeep) {
		tex += expression(0);
		// A bracket that closes nothing.
		if (at < tokens.length) tex += tokens[at++];
	}
	return tooDeep ? undefined : tex;
}

/** Whether the group that begins here is the numerator of a fraction: its brackets only group. */
function divides(tokens: readonly string[], start: number): boolean {
	if (!closing.has(tokens[start] ?? '')) return false;
	let depth = 0;
	for (let at = start; at < tokens.length; at++) {
		const token = tokens[at] ?? '';
		if (closing.has(token)) depth++;
		else if (isClosing(token) && --depth === 0) return tokens[at + 1] === '/';
	}
	return false;
}

function tokensOf(source: string): string[] {
	const tokens: string[] = [];
	for (let at = 0; at < source.length; ) {
		const rest = source.slice(at, at + 16);
		const quoted = source[at] === '"' ? source.indexOf('"', at + 1) : -1;
		const token =
			quoted > 0
				? source.slice(at, quoted + 1)
				: (/^\d+(?:\.\d+)?/.exec(rest)?.[0] ??
					words.find((word) => rest.startsWith(word)) ??
					String.fromCodePoint(source.codePointAt(at) ?? 0x20));
		at += token.length;
		if (token.trim() !== '') tokens.push(token);
	}
	return tokens;
}
