import { parseLinkHeader } from '../../headers/index.ts';
import type { RobotsFile } from '../../robots/index.ts';
import { headerValues } from '../../robots2/header-fields.ts';
import { parseUrl } from '../../url/parse-url.ts';
import { isIndexer } from '../agent-roles.ts';
import { fold } from '../fold.ts';
import type { Agent, LicenceReference, PageSignals, Statement, Use } from '../types.ts';
import { defineVocabulary } from './vocabulary.ts';

/** The media type of an RSL file (RSL 1.0). */
export const rslType = 'application/rsl+xml';

/** Really Simple Licensing. Licences are reported but not read, so they decide nothing. */
export const rsl = defineVocabulary({
	name: 'rsl',
	title: 'RSL',
	specification: 'RSL 1.0',
	problems: {},
	records: { license: {} },
	headers: [
		{
			field: 'link',
			repeats: 'add',
			isStatement: (link) => /\blicense\b/i.test(link) && /application\/rsl\+xml/i.test(link),
		},
	],
	links: [{ rel: 'license', type: rslType }],
	prepare({ agent, robots }) {
		const references = robots.flatMap(({ source, file }) => licencesOfRobots(source, file));
		const licences = fold(
			references.map((each) => ({ ...statementOf(each), ...each })),
			({ url, source }) => `${source} ${url}`,
		).map(({ effect, evidence }): Statement => ({ effect, evidence }));
		return {
			site: licences.length > 0 ? (use) => (concerns(use, agent) ? licences : []) : undefined,
			response: (use, page) =>
				concerns(use, agent) ? [...licencesOfHeaders(page), ...(page.licences ?? [])].map(statementOf) : [],
		};
	},
});

const concerns = (use: Use, agent: Agent): boolean =>
	use === 'train' || use === 'read' || use === 'summarise' || (use === 'crawl' && isIndexer(agent));

function statementOf({ source, line, text }: LicenceReference): Statement {
	return { effect: 'silent', evidence: { source, line, text, mechanism: 'rsl' } };
}

/** The `License:` records of a robots.txt, in groups or not: RSL ties them to no agent. */
export function licencesOfRobots(source: string, { records }: RobotsFile): LicenceReference[] {
	return records
		.filter(({ key, value }) => key.toLowerCase() === 'license' && parseUrl(value) !== undefined)
		.map(({ value, line, text }) => ({ url: value, source, line, text: text.trim() }));
}

/** `Link: <…>; rel="license"; type="application/rsl+xml"`. A licence of another type says nothing to agents. */
export function licencesOfHeaders({ source, headers = [] }: PageSignals): LicenceReference[] {
	return headerValues(headers, 'link').flatMap((text) =>
		parseLinkHeader(text)
			.filter(({ rel, params }) => rel.includes('license') && params.get('type')?.toLowerCase() === rslType)
			.map(({ target }) => ({
				url: parseUrl(target, source)?.href ?? target,
				source,
				line: 0,
				text: `Link: ${text}`,
			})),
	);
}
