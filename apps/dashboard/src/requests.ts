import type { RecordedRequest } from './data.ts';
import { element, nothing } from './element.ts';
import { cut, moment, timeOfDay } from './format.ts';

const shown = 25;

/** The latest requests in view, each with the deciding line, the policy version it had read, and the evidence. */
export function showRequests(requests: readonly RecordedRequest[]): Node[] {
	if (requests.length === 0) return [nothing('No requests in this period.')];
	const list = element('ul', { class: 'requests' }, ...requests.slice(0, shown).map(item));
	const more = requests.length > shown;
	return more
		? [list, element('p', { class: 'more' }, `The latest ${shown}; the table to save has up to 10,000.`)]
		: [list];
}

function item(request: RecordedRequest): HTMLElement {
	const {
		at,
		agent,
		method,
		path,
		rule,
		outcome,
		address,
		status,
		fetched,
		inForce,
		evidence,
		action,
		reason,
		excuse,
	} = request;
	const facts: readonly (readonly [string, string | null])[] = [
		['Rule', rule],
		['Action', reason === null ? action : `${action} (${reason})`],
		['Answer', String(status)],
		['Address', address],
		['Identity', outcome],
		['Policy version it had read', fetched ?? 'none'],
		['Active policy version', inForce],
		['Not held against it', excuse],
	];
	return element(
		'li',
		{},
		element(
			'details',
			{ 'data-key': `${at} ${address} ${path}` },
			element(
				'summary',
				{},
				element('time', { datetime: new Date(at).toISOString(), title: timeOfDay(at) }, moment(at)),
				element('strong', {}, cut(agent ?? '(no name)', 40)),
				element('span', { class: `badge ${outcome}` }, outcome),
				element('span', { class: status >= 400 ? 'bad' : undefined }, String(status)),
				element('code', {}, `${method} ${cut(path)}`),
			),
			element(
				'dl',
				{ class: 'facts' },
				...facts.flatMap(([name, value]) => (value ? [element('dt', {}, name), element('dd', {}, value)] : [])),
			),
			element('p', { class: 'more' }, 'Evidence for the identity'),
			element('pre', { tabindex: 0 }, typeof evidence === 'string' ? evidence : JSON.stringify(evidence, undefined, 2)),
		),
	);
}
