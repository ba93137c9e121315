import { forEachSelector, parseSelector, type Selector } from '../dom/selectors.ts';
import { limits } from './keywords.ts';
import type { Pick } from './nodes.ts';
import { ownPseudo } from './pseudo.ts';
import { FieldSchemaError } from './types.ts';

/**
 * Reads `x-select`: one alternative or a list of them, or an object of host name → alternatives, with `*` for all
 * other hosts. `a.more@href` is an attribute, `@href` one of the element of the object itself.
 */
export function readPicks(written: unknown, pointer: string): ReadonlyMap<string, readonly Pick[]> {
	if (written === undefined) return new Map();
	if (typeof written === 'object' && written !== null && !Array.isArray(written)) {
		const hosts = Object.entries(written).map(([host, own]): [string, readonly Pick[]] => {
			if (host !== '*' && !/^[a-z\d.-]+$/.test(host))
				throw new FieldSchemaError(`${pointer}/${host}`, 'a host name in lower case, or *, is expected');
			return [host, readList(own, `${pointer}/${host}`)];
		});
		return new Map(hosts);
	}
	return new Map([['*', readList(written, pointer)]]);
}

function readList(written: unknown, pointer: string): readonly Pick[] {
	const all: readonly unknown[] = Array.isArray(written) ? written : [written];
	if (all.length === 0 || all.length > limits.alternatives)
		throw new FieldSchemaError(pointer, `1 to ${limits.alternatives} alternatives are read`);
	return all.map((one, index) => readPick(one, Array.isArray(written) ? `${pointer}/${index}` : pointer));
}

/** The attribute behind the last `@`. */
const picked = /^(.*?)(?:@([\w:-]+))?$/s;

function readPick(written: unknown, pointer: string): Pick {
	if (typeof written !== 'string' || written.trim() === '')
		throw new FieldSchemaError(pointer, 'a CSS selector is expected, such as h1.name or a.more@href');
	const [, css = '', attribute] = picked.exec(written.trim()) ?? [];
	const selectors: Selector[] = [];
	if (css.trim() !== '')
		forEachSelector(css, (start, end) => {
			const selector = parseSelector(css.slice(start, end), 0, ownPseudo);
			if (selector === undefined || selector.isState || selector.isPseudo)
				throw new FieldSchemaError(
					pointer,
					`${JSON.stringify(css.slice(start, end).trim())} is not a selector that can be matched without a browser; see x-select in the documentation`,
				);
			selectors.push(selector);
		});
	return {
		written: written.trim(),
		selectors,
		attribute: attribute?.toLowerCase(),
		isPositional: /[+~]|:(?:nth|first|last|only)-/.test(css),
	};
}
