import { present } from '@wayleave/protocols';
import { type SomFormat, type SomScope, somFormats, somMediaTypes, somScopes } from '@wayleave/protocols/som';
import { acceptedTypes } from '../request/accepted-types.ts';

/** The format and variant that a client gets. */
export interface Choice {
	scope: SomScope;
	format: SomFormat;
	/** Tokens of cl100k_base; undefined = no budget but that of the specification. */
	tokenBudget?: number;
}

export type Negotiated =
	| { readonly choice: Choice }
	| { readonly refusal: 'not-acceptable' | 'bad-parameter'; readonly detail: string };

/** Reads `scope`, `format` and `budget` of the query, then `Accept`; what neither says is as configured. */
export function negotiate(query: URLSearchParams, accept: string | null, defaults: Choice): Negotiated {
	const scope = oneOf(query.get('scope'), somScopes);
	if (scope === 'unknown') return badParameter('scope', somScopes);
	const format = oneOf(query.get('format'), somFormats);
	if (format === 'unknown') return badParameter('format', somFormats);
	const budget = query.get('budget');
	if (budget !== null && !/^[1-9]\d{0,8}$/.test(budget)) {
		return { refusal: 'bad-parameter', detail: 'budget must be a number of tokens' };
	}
	const accepted = format ?? byAccept(accept, defaults.format);
	if (accepted === undefined) {
		return { refusal: 'not-acceptable', detail: `available are ${Object.values(somMediaTypes).join(', ')}` };
	}
	const tokenBudget = budget === null ? defaults.tokenBudget : Number(budget);
	return {
		choice: present({ scope: scope ?? defaults.scope, format: accepted, tokenBudget }),
	};
}

function badParameter(name: string, values: readonly string[]): Negotiated {
	return { refusal: 'bad-parameter', detail: `${name} must be one of ${values.join(', ')}` };
}

function oneOf<Value extends string>(text: string | null, values: readonly Value[]): Value | 'unknown' | undefined {
	if (text === null || text === '') return undefined;
	return values.find((value) => value.toLowerCase() === text.toLowerCase()) ?? 'unknown';
}

/** The format that fits `Accept` best; the configured one where the client does not mind. */
function byAccept(accept: string | null, preferred: SomFormat): SomFormat | undefined {
	if (accept === null || accept.trim() === '') return preferred;
	const formats = [preferred, ...somFormats.filter((format) => format !== preferred)];
	const types = formats.flatMap((format) => typesOf(format));
	const [best] = acceptedTypes(accept, types);
	return formats.find((format) => typesOf(format).includes(best ?? ''));
}

/** SOM is JSON too: a client that asks for plain JSON gets it. */
function typesOf(format: SomFormat): string[] {
	if (format === 'SOM/1.0') return [somMediaTypes['SOM/1.0'], 'application/json'];
	return format === 'accessibility-tree' ? ['application/accessibility-tree+json'] : [somMediaTypes[format]];
}
