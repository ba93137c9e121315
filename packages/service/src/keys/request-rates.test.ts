import { openDatabase } from '@wayleave/io/sql';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { KeyStore } from './key-store.ts';
import { RequestRates } from './request-rates.ts';

let time: number;
let db: Kysely<unknown>;
let keys: KeyStore;
const now = () => time;

describe.each([
	['SQLite', async (): Promise<string> => 'sqlite::memory:'],
	['PostgreSQL', newDatabase],
] as const)('requests per minute of several processes, in %s', (_, store) => {
	beforeEach(async () => {
		time = Date.parse('2026-12-01T12:00:00Z');
		db = openDatabase(await store());
		keys = await KeyStore.open(db, now);
	});
	afterEach(() => db.destroy());

	/** How many of 1000 requests a process permits at once. */
	const permitted = (rates: RequestRates, rate = 60) => {
		let count = 0;
		while (count < 1000 && rates.take('k', rate) === 0) count++;
		return count;
	};

	it('all together keep the rate: what two permitted at once is waited for', async () => {
		const processes = [new RequestRates(keys, now), new RequestRates(keys, now)];
		let total = 0;
		for (let second = 0; second < 600; second++) {
			for (const rates of processes) total += permitted(rates);
			for (const rates of processes) await rates.save();
			time += 1000;
		}
		// A burst of each, and one request a second.
		expect(total).toBeGreaterThanOrEqual(60 + 599);
		expect(total).toBeLessThanOrEqual(2 * 60 + 600);
	});

	it('a process that learns of a key by its first request knows what others permitted', async () => {
		const { key } = await keys.create({ name: 'Ada', scopes: [], rate: 60 });
		const one = new RequestRates(keys, now);
		for (let request = 0; request < 50; request++) one.take(key.id, 60);
		await one.save();
		time += 5000;
		const known = await keys.find(key.id);
		const other = new RequestRates(keys, now);
		expect(other.take(key.id, 60, known?.bucket)).toBe(0);
		expect(other.peek(key.id, 60).tokens).toBeCloseTo(14);
		// A process hands over the same tokens with each request until it reads the key again.
		other.take(key.id, 60, known?.bucket);
		expect(other.peek(key.id, 60).tokens).toBeCloseTo(13);
		await other.save();
		other.take(key.id, 60, known?.bucket);
		expect(other.peek(key.id, 60).tokens).toBeCloseTo(12);
	});

	it('a process alone permits what a token bucket does, whenever it tells the database', async () => {
		const rates = new RequestRates(keys, now);
		const counts: number[] = [];
		for (const pause of [0, 1000, 500, 10_000, 120_000]) {
			time += pause;
			counts.push(permitted(rates));
			if (pause !== 500) await rates.save();
		}
		expect(counts).toEqual([60, 1, 0, 10, 60]);
	});

	it('requests that the database could not be told of are told later', async () => {
		let isAway = true;
		const spendTokens: KeyStore['spendTokens'] = async (...spent) => {
			if (isAway) throw new Error('away');
			return keys.spendTokens(...spent);
		};
		const rates = new RequestRates({ spendTokens }, now);
		expect(permitted(rates)).toBe(60);
		await expect(rates.save()).rejects.toThrow('away');
		time += 1000;
		expect(permitted(rates)).toBe(1);
		isAway = false;
		await rates.save();
		expect((await keys.spendTokens('k', 0, 60)).tokens).toBeCloseTo(-1);
	});
});
