import type { Violation } from './data.ts';
import { element, nothing } from './element.ts';
import { cut, moment, timeOfDay } from './format.ts';

const shown = 50;

/** The rules that were broken last, each with all that its operator would ask for. */
export function showViolations(violations: readonly Violation[]): Node[] {
	if (violations.length === 0) return [nothing('No violations in this period.')];
	const list = element('ul', { class: 'violations' }, ...violations.slice(0, shown).map(item));
	const more = violations.length - shown;
	return more > 0 ? [list, element('p', { class: 'more' }, `${more} more: wayleave report lists them all.`)] : [list];
}

function item(violation: Violation): HTMLElement {
	const { at, agent, method, path, rule, outcome, address, status, fetched, inForce, evidence } = violation;
	const facts: readonly (readonly [string, string])[] = [
		['Rule', rule],
		['Answer', String(status)],
		['Address', address],
		['Identity', outcome],
		['Policy version it had read', fetched ?? 'none'],
		['Active policy version', inForce],
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
				element('code', {}, `${method} ${cut(path)}`),
			),
			element(
				'dl',
				{ class: 'facts' },
				...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
			),
			element('p', { class: 'more' }, 'Evidence for the identity'),
			element('pre', { tabindex: 0 }, typeof evidence === 'string' ? evidence : JSON.stringify(evidence, undefined, 2)),
		),
	);
}
