import type { Overview } from './data.ts';
import { element } from './element.ts';
import { bytes, count, roughly } from './format.ts';

/** The figures that matter most. */
export function showTotals({ totals, agents, observing }: Overview): Node[] {
	const { requests, denied, violations, bytesSaved, tokensSaved } = totals;
	const names = new Set(agents.flatMap(({ agent }) => agent ?? []));
	return [
		tile('Requests', roughly(requests), `of ${count(names.size)} ${names.size === 1 ? 'agent' : 'agents'} by name`),
		tile(observing ? 'Would be denied' : 'Denied', roughly(denied), share(denied, requests)),
		tile('Rules broken', roughly(violations), 'of rules that the agent had read', violations > 0),
		tile('Bytes saved', bytes(bytesSaved), 'by representations'),
		tile('Tokens saved', roughly(tokensSaved), 'by representations'),
	];
}

function tile(title: string, value: string, more: string, alarming = false): HTMLElement {
	return element(
		'dl',
		{ class: alarming ? 'tile alarming' : 'tile' },
		element('dt', {}, title),
		element('dd', { class: 'value' }, value),
		element('dd', { class: 'more' }, more),
	);
}

function share(part: number, all: number): string {
	return all === 0 ? 'of no requests' : `${((100 * part) / all).toFixed(1)} % of requests`;
}
