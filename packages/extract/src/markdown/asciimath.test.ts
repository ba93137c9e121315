import { describe, expect, it } from 'vitest';
import { asciiMathToTex } from './asciimath.ts';

describe('AsciiMath as TeX', () => {
	it.each([
		['sum_(i=1)^n i^3=((n(n+1))/2)^2', '\\sum_{i = 1}^{n} i^{3} = (\\frac{n (n + 1)}{2})^{2}'],
		['x = (-b +- sqrt(b^2 - 4ac))/(2a)', 'x = \\frac{- b \\pm \\sqrt{b^{2} - 4 a c}}{2 a}'],
		['a/b + f(x)', '\\frac{a}{b} + f (x)'],
		['root 3 x', '\\sqrt[3]{x}'],
		['"if" x <= oo', '\\text{if} x \\le \\infty'],
		['{1, 2}', '\\{1 , 2\\}'],
		['lim_(x->0)', '\\lim_{x \\to 0}'],
		['((x)', '((x)'],
		['x)', 'x)'],
	])('%s', (source, tex) => expect(asciiMathToTex(source)).toBe(tex));

	it('gives up on a formula that nests too deep', () => {
		expect(asciiMathToTex('('.repeat(100_000))).toBeUndefined();
		expect(asciiMathToTex('sqrt '.repeat(1000))).toBeUndefined();
	});

	it('reads a long formula in linear time', () => {
		expect(asciiMathToTex('(a_1)/2 + '.repeat(20_000))?.length).toBeGreaterThan(200_000);
	});
});
