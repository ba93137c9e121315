import { headerValues } from '../robots2/header-fields.ts';
import type { HeaderFields } from '../robots2/index.ts';

/** The header fields of a page that `decide` reads: what keeps a page for later has to keep these. */
export const pageSignalFields = [
	'content-signal',
	'content-usage',
	'tdm-reservation',
	'x-robots-tag',
	'robots-tag',
	'link',
] as const;

/** The values of one of them. A field that is missing in the list does not compile. */
export const signalValues = (headers: HeaderFields, name: (typeof pageSignalFields)[number]): string[] =>
	headerValues(headers, name);
