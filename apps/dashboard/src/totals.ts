import { withFilters } from './address.ts';
import type { Overview } from './data.ts';
import { element } from './element.ts';
import { bytes, count, roughly } from './format.ts';

/** The figures that matter most. */
export function showTotals({ totals, agents, observing }: Overview): Node[] {
	const { requests, denied, violations, bytesSaved, tokensSaved } = totals;
	const names = new Set(agents.flatMap(({ agent }) => agent ?? []));
	return [
		tile('Requests', roughly(requests), `of ${count(names.size)} ${names.size === 1 ? 'agent' : 'agents'} by name`),
		tile(observing ? 'Would be denied' : 'Denied', roughly(denied), share(denied, requests), {
			href: withFilters({ denied: '1' }),
		}),
		tile('Rules broken', roughly(violations), 'of rules that the agent had read', {
			href: withFilters({ broken: '1' }),
			alarming: violations > 0,
		}),
		tile('Bytes saved', bytes(bytesSaved), 'by representations'),
		tile('Tokens saved', roughly(tokensSaved), 'by representations'),
	];
}

interface TileOptions {
	/** The view of the requests that are counted. */
	readonly href?: string;
	readonly alarming?: boolean;
}

function tile(title: string, value: string, more: string, { href, alarming = false }: TileOptions = {}): HTMLElement {
	return element(
		'dl',
		{ class: alarming ? 'tile alarming' : 'tile' },
		element('dt', {}, title),
		element('dd', { class: 'value' }, href === undefined ? value : element('a', { href }, value)),
		element('dd', { class: 'more' }, more),
	);
}

function share(part: number, all: number): string {
	return all === 0 ? 'of no requests' : `${((100 * part) / all).toFixed(1)} % of requests`;
}
