import type { LearnedHost } from '../model/learned-addresses.ts';
import type { StoreReader } from '../store/roles/reader.ts';
import type { LeftOutPage } from './api.ts';

/** Hosts of one part. */
const maxHosts = 50;

/** The address patterns by which a crawl left URLs out as copies or as an endless space. */
export async function readLeftOut({ frontier }: StoreReader, after: string): Promise<LeftOutPage> {
	const { hosts, next, aliases, examples } = await frontier.learnedAddresses({ after, hosts: maxHosts });
	return {
		hosts: hosts.map((host) => ({ host: host.host, patterns: patternsOf(host) })),
		...(next !== undefined && { next }),
		aliases,
		examples,
	};
}

type Pattern = LeftOutPage['hosts'][number]['patterns'][number];

const patternOf = (kind: string, pattern: string, why: string, leftOut: number): Pattern => {
	return { kind, pattern, why, leftOut };
};

function patternsOf({ idle, exhausted, shells, routes }: LearnedHost): Pattern[] {
	const evidenceOf = ({ said, alike }: LearnedHost['idle'][number]) =>
		said > 0 ? `${said} named the address without it` : alike > 0 ? `${alike} comparisons alike` : 'a session';
	return [
		...idle.map((each) => patternOf('copy', each.part, `does not change a page: ${evidenceOf(each)}`, each.leftOut)),
		...exhausted.map(({ form, visits, fresh, leftOut }) =>
			patternOf('trap', form, `brought something new in ${fresh} of ${visits} visits`, leftOut),
		),
		...shells.map(({ page, copies, leftOut }) =>
			patternOf('copy', page, `the site sends this page for other addresses too: ${copies} copies`, leftOut),
		),
		...(routes === undefined
			? []
			: [patternOf('copy', '#…', `${routes.same} routes after # showed the page itself`, routes.leftOut)]),
	];
}
