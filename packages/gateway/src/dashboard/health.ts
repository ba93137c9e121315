import type { CheckCount } from '../report/checks.ts';
import type { RunningGateway } from '../running/open-gateway.ts';
import type { SharingStatus } from '../sharing/open-sharing.ts';
import type { HealthLine } from './dashboard.ts';

/** The state of the site's robots.txt and of the agents' address lists, in sentences. */
export function healthOf(running: Pick<RunningGateway, 'site' | 'lists' | 'sharing'>): HealthLine[] {
	const site = running.site();
	const lists = running.lists();
	const sharing = running.sharing();
	const follows = site.closed ? ': agents get 503 until it can be read' : '';
	return [
		{
			name: 'robots.txt of the site',
			state: site.state === 'unreadable' ? 'trouble' : 'good',
			detail: `${site.detail}${follows}`,
		},
		...(sharing === undefined ? [] : [sharingLine(sharing)]),
		...lists.map(
			({ url, ranges, stale, fault }): HealthLine => ({
				name: url,
				state: ranges === undefined || stale ? 'trouble' : 'good',
				detail: listDetail(ranges, stale, fault),
			}),
		),
	];
}

function sharingLine({ store, reachable, wasRead, fault, gateways, strangers, since }: SharingStatus): HealthLine {
	const name = 'Shared store';
	const others = strangers.length === 0 ? '' : `; ${strangers.join(', ')} share in another format, which is ignored`;
	if (reachable) {
		const count = `${gateways} ${gateways === 1 ? 'gateway shares' : 'gateways share'} limits and permissions`;
		return { name, state: strangers.length === 0 ? 'good' : 'trouble', detail: `${count} in ${store}${others}` };
	}
	const at = `${new Date(since).toISOString().slice(0, 19)}Z`;
	const follows = wasRead
		? `each gateway goes on with what it knows and its share (one in ${gateways}) of each limit`
		: 'agents get 503 until it can be read';
	return { name, state: 'trouble', detail: `lost since ${at} (${fault}): ${follows}` };
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
