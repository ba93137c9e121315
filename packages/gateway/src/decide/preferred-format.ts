import { type SomFormat, somMediaTypes } from '@wayleave/protocols/som';
import { acceptedTypes } from '../request/accepted-types.ts';

/** The format that a client prefers to HTML; undefined for browsers and clients without a preference. */
export function preferredFormat(accept: string | undefined): SomFormat | undefined {
	if (accept === undefined || !/markdown|som\+json/i.test(accept)) return undefined;
	const types = ['text/html', somMediaTypes.markdown, somMediaTypes['SOM/1.0']];
	const [best] = acceptedTypes(accept, types);
	if (best === somMediaTypes.markdown) return 'markdown';
	return best === somMediaTypes['SOM/1.0'] ? 'SOM/1.0' : undefined;
}

const suffixes: readonly (readonly [string, SomFormat])[] = [
	['.som.json', 'SOM/1.0'],
	['.md', 'markdown'],
];

/** The page that `page.md` and `page.som.json` are representations of, as `publish` names them. */
export function besidePage(path: string): { readonly format: SomFormat; readonly of: string } | undefined {
	for (const [suffix, format] of suffixes) {
		if (path.endsWith(suffix) && !path.endsWith(`/${suffix}`)) return { format, of: path.slice(0, -suffix.length) };
	}
	return undefined;
}
