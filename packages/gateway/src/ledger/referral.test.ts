import { describe, expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { checkConfig } from '../config/load.ts';
import { createGateway } from '../engine/gateway.ts';
import { referralsOf } from '../report/referrals.ts';
import { sampleEntry } from '../testing/sample-entry.ts';
import { openLedger } from './ledger.ts';
import { otherPages } from './referral.ts';

const day = 86_400_000;
const noon = Date.UTC(2026, 10, 30, 12);
const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36';

const databases: readonly [string, () => Promise<string>][] = [
	['SQLite', async () => 'sqlite::memory:'],
	['PostgreSQL', newDatabase],
];

describe.each(databases)('people from assistants, in %s', (_, database) => {
	it('are counted by day, page and assistant, and nothing of them is kept', async () => {
		const ledger = await openLedger(await database());
		let time = noon;
		const gateway = createGateway(checkConfig({ origin: 'https://example.com' }), {
			recorder: ledger,
			now: () => time,
			origin: async () => new Response('<p>Text.', { headers: { 'content-type': 'text/html' } }),
		});
		const visit = (path: string, headers: Record<string, string>): Promise<Response> =>
			gateway.handle(new Request(`https://example.com${path}`, { headers: { 'user-agent': browser, ...headers } }), {
				address: '192.0.2.77',
			});
		await visit('/tides?mail=anna@example.org', { referer: 'https://chatgpt.com/c/7' });
		await visit('/tides', { referer: 'https://www.perplexity.ai/search' });
		await visit('/tides?utm_source=chatgpt.com', {});
		// An image that an assistant shows, a link from elsewhere, and an agent.
		await visit('/tide.png', { referer: 'https://chatgpt.com/', 'sec-fetch-dest': 'image' });
		await visit('/tides', { referer: 'https://chatgpt.com.example.org/' });
		await visit('/tides', { referer: 'https://chatgpt.com/', 'user-agent': 'GPTBot/1.2' });
		time += day;
		await visit('/', { referer: 'https://gemini.google.com/' });
		await ledger.flush();
		const rows = await ledger.db
			.selectFrom('gateway_referral')
			.selectAll()
			.orderBy('at')
			.orderBy('assistant')
			.execute();
		const today = noon - day / 2;
		expect(rows).toEqual([
			{ at: today, assistant: 'ChatGPT', path: '/tides', visits: 2 },
			{ at: today, assistant: 'Perplexity', path: '/tides', visits: 1 },
			{ at: today + day, assistant: 'Gemini', path: '/', visits: 1 },
		]);
		const period = { since: noon - day, until: time + 1 };
		const { times, series, pages } = await referralsOf(ledger.db, period);
		expect(times).toEqual([today - day, today, today + day]);
		expect(series[0]).toEqual({ name: 'ChatGPT', visits: [0, 2, 0] });
		expect(series).toHaveLength(3);
		expect(pages).toEqual([
			{
				path: '/tides',
				assistants: [
					{ assistant: 'ChatGPT', visits: 2 },
					{ assistant: 'Perplexity', visits: 1 },
				],
				visits: 3,
				requests: 1,
			},
			{ path: '/', assistants: [{ assistant: 'Gemini', visits: 1 }], visits: 1, requests: 0 },
		]);
		await ledger.close();
	});

	it('are counted apart for 5,000 pages a day, and go with the retention', async () => {
		const ledger = await openLedger(await database(), { retentionDays: 2, now: () => noon + 9 * day });
		const at = noon - day / 2;
		for (let page = 0; page < 5003; page++)
			ledger.recordReferral?.({ at, path: `/made-up/${page}`, assistant: 'ChatGPT' });
		ledger.recordReferral?.({ at, path: '/made-up/7', assistant: 'ChatGPT' });
		ledger.record(sampleEntry);
		await ledger.flush();
		const rows = () => ledger.db.selectFrom('gateway_referral').selectAll().orderBy('visits', 'desc').execute();
		const [first, second, ...others] = await rows();
		expect([first, second]).toEqual([
			{ at, assistant: 'ChatGPT', path: otherPages, visits: 3 },
			{ at, assistant: 'ChatGPT', path: '/made-up/7', visits: 2 },
		]);
		expect(others).toHaveLength(4999);
		await ledger.prune();
		expect(await rows()).toEqual([]);
		await ledger.close();
	});
});
