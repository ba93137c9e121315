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

function patternsOf({ idle, exhausted, shells, routes }: LearnedHost): Pattern[] {
	return [
		...idle.map(({ part, alike, said, leftOut }) => ({
			kind: 'copy',
			pattern: part,
			why:
				said > 0
					? `does not change a page: ${said} named the address without it`
					: alike > 0
						? `does not change a page: ${alike} comparisons alike`
						: 'does not change a page: a session',
			leftOut,
		})),
		...exhausted.map(({ form, visits, fresh, leftOut }) => ({
			kind: 'trap',
			pattern: form,
			why: `brought something new in ${fresh} of ${visits} visits`,
			leftOut,
		})),
		...shells.map(({ page, copies, leftOut }) => ({
			kind: 'copy',
			pattern: page,
			why: `the site sends this page for other addresses too: ${copies} copies`,
			leftOut,
		})),
		...(routes === undefined
			? []
			: [
					{
						kind: 'copy',
						pattern: '#…',
						why: `${routes.same} routes after # showed the page itself`,
						leftOut: routes.leftOut,
					},
				]),
	];
}
