import type { CheckCount } from '../report/checks.ts';
import type { RunningGateway } from '../running/open-gateway.ts';
import type { HealthLine } from './dashboard.ts';

/** The state of the site's robots.txt and of the agents' address lists, in sentences. */
export function healthOf(running: Pick<RunningGateway, 'site' | 'lists'>): HealthLine[] {
	const site = running.site();
	const lists = running.lists();
	const follows = site.closed ? ': agents get 503 until it can be read' : '';
	return [
		{
			name: 'robots.txt of the site',
			state: site.state === 'unreadable' ? 'trouble' : 'good',
			detail: `${site.detail}${follows}`,
		},
		...lists.map(
			({ url, ranges, stale, fault }): HealthLine => ({
				name: url,
				state: ranges === undefined || stale ? 'trouble' : 'good',
				detail: listDetail(ranges, stale, fault),
			}),
		),
	];
}

function listDetail(ranges: number | undefined, stale: boolean, fault: string | undefined): string {
	const why = fault === undefined ? '' : ` (${fault})`;
	if (ranges === undefined) return `never fetched${why}: it cannot verify any agent`;
	const count = `${ranges} ${ranges === 1 ? 'range' : 'ranges'}`;
	if (stale) return `${count}, not confirmed for days${why}: a missing address is not treated as spoofed`;
	return fault === undefined ? count : `${count} of the last valid list; the newest list was rejected${why}`;
}

const checkNames = {
	'reverse-dns': ['DNS', 'reverse look-ups'],
	signature: ['Key directories', 'signed requests'],
} as const;

/** How look-ups in DNS and key directories went lately. */
export function checkLines(counts: readonly CheckCount[]): HealthLine[] {
	return counts.map(({ method, checked, failed }) => {
		const [name, things] = checkNames[method];
		if (checked === 0) return { name, state: 'good', detail: `no ${things} among the latest 1,000 requests` };
		const detail = `${failed} of ${checked} ${things} among the latest 1,000 requests could not be checked`;
		// A name server of one operator may be down; that most fail is a matter of this machine.
		return { name, state: failed * 2 > checked ? 'trouble' : 'good', detail };
	});
}
