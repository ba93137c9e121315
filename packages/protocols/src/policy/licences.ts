import { parseLinkHeader } from '../headers/index.ts';
import type { RobotsFile } from '../robots/index.ts';
import { headerValues } from '../robots2/header-fields.ts';
import { parseUrl } from '../url/parse-url.ts';
import type { LicenceReference, PageSignals, Statement } from './types.ts';

/** The media type of an RSL file (RSL 1.0). */
export const rslType = 'application/rsl+xml';

/** The `License:` records of a robots.txt, wherever they stand: RSL ties them to no agent. */
export function licencesOfRobots(source: string, { records }: RobotsFile): LicenceReference[] {
	return records
		.filter(({ key, value }) => key.toLowerCase() === 'license' && parseUrl(value) !== undefined)
		.map(({ value, line, text }) => ({ url: value, source, line, text: text.trim() }));
}

/** `Link: <…>; rel="license"; type="application/rsl+xml"`. A licence of another type is an ordinary one, not ours to report. */
export function licencesOfHeaders({ source, headers = [] }: PageSignals): LicenceReference[] {
	return headerValues(headers, 'link').flatMap((text) =>
		parseLinkHeader(text)
			.filter(({ rel, params }) => rel.includes('license') && params.get('type')?.toLowerCase() === rslType)
			.map(({ target }) => ({ url: resolve(target, source), source, line: 0, text: `Link: ${text}` })),
	);
}

function resolve(target: string, base: string): string {
	return parseUrl(target, base)?.href ?? target;
}

/** Terms that are recognised and reported; what they say is not read, so they decide nothing. */
export function sayLicence({ source, line, text }: LicenceReference): Statement {
	return { effect: 'silent', evidence: { source, line, text, mechanism: 'rsl' } };
}
