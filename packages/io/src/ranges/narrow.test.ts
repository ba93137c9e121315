import { describe, expect, it } from 'vitest';
import type { FetchResult } from '../http/types.ts';
import { RangeLists } from './lists.ts';
import type { RangeListsOptions } from './types.ts';

const url = 'https://lists.example.com/bot.json';

function bodyOf(prefixes: readonly string[]): Uint8Array {
	const entries = prefixes.map((prefix) => ({ [prefix.includes(':') ? 'ipv6Prefix' : 'ipv4Prefix']: prefix }));
	return new TextEncoder().encode(JSON.stringify({ creationTime: '2026-05-01T00:00:00Z', prefixes: entries }));
}

function success(at: string, body: Uint8Array): FetchResult {
	const headers = { get: () => undefined, getAll: () => [], has: () => false } as never;
	return { ok: true, url: at, status: 200, headers, body } as unknown as FetchResult;
}

async function listsOf(prefixes: readonly string[], options: Partial<RangeListsOptions> = {}) {
	const fetcher = { get: async (at: string) => success(at, bodyOf(prefixes)) };
	const lists = new RangeLists({ fetcher, ...options });
	const status = await lists.refresh(url);
	lists.close();
	return { lists, status, codes: status.problems.map(({ code }) => code) };
}

describe('a list that covers more than one operator can have', () => {
	for (const [prefixes, address] of [
		[['0.0.0.0/0', '::/0'], '203.0.113.5'],
		[['::/0'], '2001:db8::1'],
		[['96.0.0.0/3'], '100.1.2.3'],
		[['64.0.0.0/7', '192.0.2.0/24'], '65.1.2.3'],
		[['2000::/3'], '2600::1'],
		[['2001::/18'], '2001:db8::1'],
	] as const) {
		it(`G2-26, G2-27: ${prefixes.join(' and ')} verifies no caller by that entry`, async () => {
			const { lists, codes } = await listsOf(prefixes);
			expect(lists.lookup(url, address).result).not.toBe('listed');
			expect(codes).toContain('ranges-too-broad');
		});
	}

	for (const [name, prefixes] of [
		['two halves of a /7', ['64.0.0.0/8', '65.0.0.0/8']],
		['256 quarters', Array.from({ length: 256 }, (_, index) => `${index + 1 > 223 ? 1 : index + 1}.0.0.0/10`)],
		['two /19 of IPv6', ['2001:2000::/19', '2001:4000::/19']],
	] as const) {
		it(`G2-26: ${name} together verify no caller`, async () => {
			const { lists, status, codes } = await listsOf(prefixes);
			expect(lists.lookup(url, prefixes[0].replace(/\/.*/, prefixes[0].includes(':') ? '1' : '')).result).toBe(
				'unavailable',
			);
			expect(codes).toContain('ranges-cover-too-much');
			expect(status.fault).toBe('ranges-cover-too-much');
		});
	}

	it('G2-26: the narrow entries beside a broad one are used', async () => {
		const { lists } = await listsOf(['0.0.0.0/0', '192.0.2.0/24']);
		expect(lists.lookup(url, '192.0.2.7').result).toBe('listed');
		expect(lists.lookup(url, '203.0.113.5').result).toBe('not-listed');
	});

	it('G2-26: the last good list stays when a broad one comes', async () => {
		let prefixes = ['192.0.2.0/24'];
		let now = Date.parse('2026-05-01T00:00:00Z');
		const lists = new RangeLists({
			fetcher: { get: async (at: string) => success(at, bodyOf(prefixes)) },
			now: () => now,
		});
		await lists.refresh(url);
		prefixes = ['1.0.0.0/8', '2.0.0.0/8', '192.0.2.0/24'];
		now += 86_400_000;
		expect((await lists.refresh(url)).fault).toBe('ranges-cover-too-much');
		expect(lists.lookup(url, '192.0.2.7').result).toBe('listed');
		expect(lists.lookup(url, '1.2.3.4').result).toBe('not-listed');
	});

	it('G2-26: the operator may allow a list by name', async () => {
		const { lists } = await listsOf(['96.0.0.0/3'], { allowBroad: [url] });
		expect(lists.lookup(url, '100.1.2.3').result).toBe('listed');
	});

	it('G2-26: a /8 and a /19 are accepted, and overlapping entries count once', async () => {
		const { lists, codes } = await listsOf([
			'10.0.0.0/8',
			'10.1.0.0/16',
			'10.1.2.0/24',
			'2001:2000::/19',
			'2001:2000::/32',
		]);
		expect(lists.lookup(url, '10.1.2.3').result).toBe('listed');
		expect(codes.filter((code) => /broad|cover/.test(code))).toEqual([]);
	});
});

describe('a list that moves', () => {
	const moved = (target: string) => async (at: string) => {
		if (at !== url) return success(at, bodyOf(['203.0.113.0/24']));
		const headers = {
			get: (name: string) => (name === 'location' ? target : undefined),
			getAll: (name: string) => (name === 'location' ? [target] : []),
			has: () => false,
		};
		return { ok: true, url: at, status: 301, headers, body: new Uint8Array() } as unknown as FetchResult;
	};

	for (const target of [
		'https://evil.example.org/bot.json',
		'https://lists.example.com.evil.org/bot.json',
		'https://203.0.113.1/bot.json',
	]) {
		it(`G2-28: is not followed to ${target}`, async () => {
			const lists = new RangeLists({ fetcher: { get: moved(target) } });
			const { fault } = await lists.refresh(url);
			expect(lists.lookup(url, '203.0.113.5').result).toBe('unavailable');
			expect(fault).toContain(new URL(target).host);
		});
	}

	it('G2-28: is followed within its registrable domain', async () => {
		const lists = new RangeLists({ fetcher: { get: moved('https://www.example.com/new.json') } });
		await lists.refresh(url);
		expect(lists.lookup(url, '203.0.113.5').result).toBe('listed');
	});
});
