import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { CrawlContext } from '../fetch/crawl-context.ts';
import { UrlClaims } from '../fetch/url-claims.ts';
import type { FrontierUrl, UrlKind } from '../store/roles/frontier.ts';
import { UrlWindow } from './url-window.ts';

const waiting = (id: number, kind: UrlKind): FrontierUrl => ({
	id,
	url: `http://h.test/${id}`,
	kind,
	depth: 0,
	dates: 0,
	attempts: 0,
	seed: false,
});

it('a visit that ends while the store is asked is not begun again, though the store tells of it as it was before', async () => {
	for (const kind of ['page', 'sitemap'] as const) {
		const flying = new Map([
			[1, 'a visit'],
			[2, 'a visit'],
		]);
		const store = {
			async pending(_: number, asked: UrlKind) {
				const rows = asked === kind ? [1, 2, 3].map((id) => waiting(id, kind)) : [];
				await Promise.resolve();
				flying.delete(1);
				return rows;
			},
		};
		const context = {
			store: { frontier: store },
			pace: { now: () => 0 },
			claims: new UrlClaims(() => {}),
		} as unknown as CrawlContext;
		const window = new UrlWindow(1, context, flying);
		expect(await window.next()).toMatchObject({ id: 3 });
		expect(await window.next()).toBeUndefined();
	}
});

it('does not hand out waiting URLs while they are ended, nor earlier read ones afterwards', async () => {
	let rows = [1, 2, 3].map((id) => waiting(id, 'page'));
	const store = {
		async pending(_: number, kind: UrlKind) {
			const now = kind === 'page' ? rows : [];
			await sleep(5);
			return now;
		},
	};
	const end = (ms: number) => async () => {
		await sleep(ms);
		rows = [];
	};
	const context = {
		store: { frontier: store },
		pace: { now: () => 0 },
		claims: new UrlClaims(() => {}),
	} as unknown as CrawlContext;
	for (const ms of [1, 50]) {
		rows = [1, 2, 3].map((id) => waiting(id, 'page'));
		const asked = new UrlWindow(1, context, new Map());
		const reading = asked.next();
		await asked.whileEnding(end(ms));
		expect(await reading).toBeUndefined();
		expect(await asked.next()).toBeUndefined();
	}
	rows = [1, 2, 3].map((id) => waiting(id, 'page'));
	const filled = new UrlWindow(1, context, new Map());
	expect(await filled.next()).toMatchObject({ id: 1 });
	const ending = filled.whileEnding(end(1));
	expect(await filled.next()).toBeUndefined();
	await ending;
	// What is found later is given out again.
	rows = [waiting(4, 'page')];
	filled.more = true;
	expect(await filled.next()).toMatchObject({ id: 4 });
});
