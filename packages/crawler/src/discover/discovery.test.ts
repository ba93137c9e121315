import { expect, it } from 'vitest';
import { AddressRules } from '../addresses/address-rules.ts';
import { Discovery } from './discovery.ts';
import { maxUrlLength } from './normalise.ts';
import { createScope } from './scope.ts';

const discovery = () =>
	new Discovery({
		scope: createScope('host', ['https://h.test/'], []),
		maxDepth: 9,
		sitemaps: true,
		routes: () => false,
		filter: undefined,
		rules: new AddressRules(),
		wantsHttps: () => false,
		now: () => Date.UTC(2026, 10, 28),
	});
const page = { depth: 0, dates: 0 };

it('a link that stands on every page is judged once', () => {
	const { links } = bound(discovery());
	expect(links(['https://h.test/menu'])).toHaveLength(1);
	expect(links(['https://h.test/menu'])).toEqual([]);
});

it('one that is too long to be visited is judged each time: thousands of them would fill the memory', () => {
	const { links } = bound(discovery());
	const long = `https://h.test/${'x'.repeat(maxUrlLength)}`;
	for (let times = 0; times < 2; times++)
		expect(links([long])).toMatchObject([{ ending: { outcome: 'out-of-scope', reason: 'url-too-long' } }]);
});

const bound = (judge: Discovery) => ({ links: (links: string[]) => judge.links(links, page) });
