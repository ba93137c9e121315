import type { Element } from '../dom/node.ts';
import { walk } from '../dom/walk.ts';

/** How many characters and nodes of an element `:contains()` looks at: labels are short, and a page may be anything. */
const looked = { characters: 300, nodes: 100 };

/** `th:contains("Weight")`: elements whose text has the words, in either case; a pseudo-class of many libraries, not of CSS. */
export function ownPseudo(name: string, argument: string | undefined): ((element: Element) => boolean) | undefined {
	if (name !== 'contains' || argument === undefined) return undefined;
	const wanted = folded(argument.trim().replace(/^(["'])(.*)\1$/s, '$2'));
	return wanted === '' ? undefined : (element) => folded(beginOf(element)).includes(wanted);
}

function beginOf(element: Element): string {
	let text = '';
	let nodes = 0;
	walk(element, (node) => {
		if (++nodes > looked.nodes || text.length > looked.characters) return false;
		if (node.kind === 'text') text += node.data.slice(0, looked.characters);
		return true;
	});
	return text;
}

const folded = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ');
