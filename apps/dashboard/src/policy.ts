import type { Policy } from './data.ts';
import { element, nothing } from './element.ts';
import { moment } from './format.ts';

/** The texts that agents get, and the versions before. */
export function showPolicy(policy: Policy | null): Node[] {
	if (policy === null) return [nothing('No policy is published here.')];
	const { version, since, robots, robots2, past } = policy;
	return [
		element('p', {}, 'Version ', element('code', {}, version), ` since ${moment(since)}`),
		text('robots.txt', robots),
		robots2 === ''
			? nothing('No robots2.txt is published: robots.txt can express everything in the policy file.')
			: text('robots2.txt', robots2),
		...(past.length === 0
			? []
			: [
					element('h3', {}, 'Before'),
					element(
						'ul',
						{},
						...past.map((each) => element('li', {}, element('code', {}, each.version), ` until ${moment(each.until)}`)),
					),
				]),
	];
}

function text(name: string, content: string): HTMLElement {
	return element(
		'details',
		{ 'data-key': name },
		element('summary', {}, element('code', {}, name)),
		element('pre', { tabindex: 0 }, content),
	);
}
