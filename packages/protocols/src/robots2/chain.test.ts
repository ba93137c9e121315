import { describe, expect, it } from 'vitest';
import { effectivePolicy, type FetchText, parseRobots2, resolveChain } from './index.ts';

/** A little web of policy files; `asked` lists the requests in their order. */
function web(pages: Record<string, string | { url: string; text: string }>) {
	const asked: string[] = [];
	const fetchText: FetchText = async (url) => {
		asked.push(url);
		const page = pages[url];
		if (page === undefined) throw new Error('no such page');
		return typeof page === 'string' ? { text: page } : page;
	};
	const resolve = async (text: string) => {
		const first = { source: 'https://a.test/robots2.txt', file: parseRobots2(text).value };
		const { files, problems } = await resolveChain(fetchText, first);
		return { files, sources: files.map(({ source }) => source), codes: problems.map(({ code }) => code), problems };
	};
	return { asked, resolve };
}

describe('resolveChain', () => {
	it('R2-59 a file without a chain in its last line asks for nothing', async () => {
		const { asked, resolve } = web({});
		expect(await resolve('chain: https://b.test/\ntrain: no')).toMatchObject({ codes: [] });
		expect(asked).toEqual([]);
	});
	it('AMB-48 follows at most three hops', async () => {
		const pages = Object.fromEntries(
			[1, 2, 3, 4].map((n) => [`https://b.test/${n}`, `chain: https://b.test/${n + 1}`]),
		);
		const { asked, resolve } = web(pages);
		const { sources, codes, problems } = await resolve('chain: https://b.test/1');
		expect(sources).toEqual(['https://a.test/robots2.txt', 'https://b.test/1', 'https://b.test/2', 'https://b.test/3']);
		expect(codes).toEqual(['robots2-chain-too-deep']);
		expect(problems[0]).toMatchObject({ severity: 'info', source: 'https://b.test/3', line: 1 });
		expect(asked).toHaveLength(3);
	});
	it('stops at a file it has seen, by its URL', async () => {
		const { asked, resolve } = web({ 'https://b.test/': 'train: no\nchain: https://a.test/robots2.txt#top' });
		const { sources, codes } = await resolve('chain: https://b.test/');
		expect(sources).toEqual(['https://a.test/robots2.txt', 'https://b.test/']);
		expect(codes).toEqual(['robots2-chain-loop']);
		expect(asked).toEqual(['https://b.test/']);
	});
	it('stops at a file it has seen, by its chain-id', async () => {
		const { resolve } = web({ 'https://mirror.test/': '# meta: chain-id: Us\ntrain: yes' });
		const { sources, codes } = await resolve('# meta: chain-id: us\nread: yes\nchain: https://mirror.test/');
		expect(sources).toEqual(['https://a.test/robots2.txt']);
		expect(codes).toEqual(['robots2-chain-loop']);
	});
	it('stops at a redirect to a file it has seen', async () => {
		const { resolve } = web({ 'https://b.test/': { url: 'https://a.test/robots2.txt', text: 'train: yes' } });
		expect(await resolve('chain: https://b.test/')).toMatchObject({ codes: ['robots2-chain-loop'] });
	});
	it('AMB-48 follows https only, also behind a redirect', async () => {
		const { asked, resolve } = web({ 'https://b.test/': { url: 'http://b.test/', text: 'train: yes' } });
		expect(await resolve('chain: http://b.test/')).toMatchObject({ codes: ['robots2-chain-not-https'] });
		expect(asked).toEqual([]);
		const { sources, codes } = await resolve('chain: https://b.test/');
		expect([sources.length, codes]).toEqual([1, ['robots2-chain-unavailable']]);
	});
	it('AMB-48 a target that cannot be read ends the chain without error', async () => {
		const { resolve } = web({ 'https://b.test/': 'train: no\nchain: https://gone.test/' });
		const { sources, codes } = await resolve('chain: https://b.test/');
		expect(sources).toHaveLength(2);
		expect(codes).toEqual(['robots2-chain-unavailable']);
	});
	it('AMB-47 the first file that speaks wins', async () => {
		const { resolve } = web({
			'https://b.test/': 'train: no\nmonetise: no\nchain: https://c.test/',
			'https://c.test/': 'monetise: yes\nderivative: ask',
		});
		const { files } = await resolve('train: yes\nchain: https://b.test/');
		const policy = effectivePolicy(files, { categories: ['ai-assistant'] });
		const told = Object.values(policy).map(({ source, text, line }) => `${source}:${line} ${text}`);
		expect(told.sort()).toEqual([
			'https://a.test/robots2.txt:1 train: yes',
			'https://b.test/:2 monetise: no',
			'https://c.test/:2 derivative: ask',
		]);
	});
});
