import { elementsOf, textIn, type XmlElement } from '../office/xml.ts';

/** A formula (MathML) in one line: `E=mc^2`, `(a+b)/c`, `√(x)`; empty for objects of another kind. */
export function formulaText(tree: XmlElement): string {
	const math = elementsOf(tree).find(({ name }) => localName(name) === 'math');
	return math === undefined ? '' : linear(math).replace(/\s+/g, ' ').trim();
}

const localName = (name: string): string => name.replace(/^.*:/, '');

function linear(element: XmlElement): string {
	const parts = elementsOf(element);
	const part = (at: number): string => (parts[at] === undefined ? '' : linear(parts[at]));
	switch (localName(element.name)) {
		case 'annotation':
			return '';
		case 'mfrac':
			return `${grouped(part(0))}/${grouped(part(1))}`;
		case 'msqrt':
			return `√${grouped(parts.map(linear).join(''))}`;
		case 'mroot':
			return `${part(1)}√${grouped(part(0))}`;
		case 'msup':
		case 'mover':
			return `${part(0)}^${grouped(part(1))}`;
		case 'msub':
		case 'munder':
			return `${part(0)}_${grouped(part(1))}`;
		case 'msubsup':
		case 'munderover':
			return `${part(0)}_${grouped(part(1))}^${grouped(part(2))}`;
		default:
			return parts.length === 0 ? textIn(element).trim() : parts.map(linear).join('');
	}
}

const grouped = (text: string): string => (/^[\p{L}\p{N}]*$/u.test(text) ? text : `(${text})`);
