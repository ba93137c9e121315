import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { needsShared, sharedPath } from '../../../../scripts/shared.ts';
import { compileRanges, readOwnForm } from './index.ts';

const listed = (value: unknown, address: string) =>
	compileRanges([{ prefixes: readOwnForm(JSON.stringify(value))?.prefixes ?? [] }]).lookup(address);

describe('lists in the formats of their operators', () => {
	it.each<[string, unknown]>([
		['P2-170 ip_prefix', { prefixes: [{ ip_prefix: '198.51.100.0/25', service: 'EDGE' }] }],
		['P2-171 a bare array', ['203.0.113.0/24', '198.51.100.0/25']],
		['addresses', { addresses: ['198.51.100.0/25'], ipv6_addresses: ['2001:db8::/32'] }],
		['an API response', { result: { ipv4_cidrs: ['198.51.100.0/25'], etag: 'x' }, success: true }],
		['objects by place', { 'example.net': { Oslo: [{ range: '198.51.100.0/25', hostname: 'a.example' }] } }],
		['single addresses', { ips: ['198.51.100.7'] }],
		['a range beside its first address', [{ network: '198.51.100.0', cidr: '198.51.100.0/25', tags: ['a.b'] }]],
	])('%s', (_, value) => {
		expect(listed(value, '198.51.100.7')).toHaveLength(1);
		expect(listed(value, '192.0.2.7')).toEqual([]);
	});

	it('the first address next to a range is not a range of its own', () => {
		const text = JSON.stringify([{ network: '198.51.100.0', cidr: '198.51.100.0/25' }]);
		expect(readOwnForm(text)?.prefixes).toHaveLength(1);
	});

	it('keeps the service of an entry', () => {
		expect(listed([{ ip_prefix: '198.51.100.0/25', service: 'EDGE' }], '198.51.100.7')[0]?.services).toEqual(['EDGE']);
	});

	it('text without ranges is not such a list, and nothing throws', () => {
		for (const text of ['{}', '[]', '["a","b"]', '{"prefixes":["1.2.3"]}', 'x', '{"version":"1.2.3"}'])
			expect([text, readOwnForm(text)]).toEqual([text, undefined]);
		fc.assert(fc.property(fc.json(), (text) => void readOwnForm(text)));
	});
});

const folder = sharedPath('data/ip-ranges/raw');
describe.skipIf(folder === undefined)(`published lists ${needsShared}`, () => {
	it.each([
		'atlassian__2026-06-30',
		'aws-ip-ranges__trimmed',
		'cloudflare__2024-03-03',
		'datadog__2026-06-30',
		'fastly__2024-03-01',
		'imperva__2026-06-30',
		'zscaler__2025-05-25',
	])('%s', (name) => {
		const file = `${folder}/${name}.json`;
		expect(existsSync(file)).toBe(true);
		const found = readOwnForm(readFileSync(file, 'utf8'));
		expect(found?.prefixes.length).toBeGreaterThan(5);
		expect(found?.unread).toBe(0);
	});
});
