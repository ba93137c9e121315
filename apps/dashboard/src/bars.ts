import { withFilters } from './address.ts';
import type { Overview } from './data.ts';
import { element, nothing } from './element.ts';
import { count } from './format.ts';

const outcomes = {
	verified: 'Verified: the claimed identity is confirmed',
	unverified: 'Unverified: neither confirmed nor refuted',
	unknown: 'Unknown: no claimed identity',
	spoofed: 'Spoofed: the claimed identity is refuted',
} as const;

const actions: Readonly<Record<string, string>> = {
	pass: 'Passed to the site',
	represent: 'Served as Markdown or SOM',
	som: 'SOM endpoint',
	file: 'Terms and other files',
	ask: 'Permission requests',
	deny: 'Denied',
	limit: 'Slowed down',
	honeypot: 'Caught in a honeypot',
	refuse: 'Refused as malformed',
};

export function showIdentity({ identity }: Overview): Node[] {
	return bars(
		Object.entries(outcomes).map(([name, label]) => ({
			name,
			label,
			value: identity[name as keyof typeof outcomes],
			href: withFilters({ outcome: name }),
		})),
	);
}

export function showActions(overview: Overview): Node[] {
	const rows = Object.entries(overview.actions).map(([name, value]) => ({ name, label: actions[name] ?? name, value }));
	return bars(rows.filter(({ name, value }) => value > 0 || name === 'pass' || name === 'deny'));
}

interface Bar {
	readonly name: string;
	readonly label: string;
	readonly value: number;
	readonly href?: string;
}

/** A list of amounts beside each other; the bars repeat what the numbers say. */
function bars(rows: readonly Bar[]): Node[] {
	const all = rows.reduce((sum, { value }) => sum + value, 0);
	if (all === 0) return [nothing('No visits in this period.')];
	const most = Math.max(...rows.map(({ value }) => value));
	return [
		element(
			'ul',
			{ class: 'bars' },
			...rows.map(({ name, label, value, href }) => {
				const bar = element('span', { class: `bar ${name}`, 'aria-hidden': 'true' });
				bar.style.width = `${(100 * value) / most}%`;
				const text = element('span', { class: 'label' }, href === undefined ? label : element('a', { href }, label));
				const number = element('span', { class: 'number' }, count(value));
				return element('li', {}, text, number, element('span', { class: 'track', 'aria-hidden': 'true' }, bar));
			}),
		),
	];
}
