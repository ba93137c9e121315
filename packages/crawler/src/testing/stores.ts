import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import type { Visit } from '../store/roles/commit.ts';

/** The databases that stores of this file's tests lie in, each anew for every test. */
export interface StorePlaces {
	/** A path in a folder that is there for one test. */
	file(name: string): string;
	readonly places: Readonly<Record<'an SQLite file' | 'PostgreSQL', () => Promise<string>>>;
}

export function useStorePlaces(): StorePlaces {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'wayleave-store-'));
	});
	afterEach(() => rmSync(folder, { recursive: true }));
	const file = (name: string) => join(folder, name);
	return {
		file,
		places: { 'an SQLite file': async () => `sqlite:${file('crawl.db')}`, PostgreSQL: newDatabase },
	};
}

/** A page that was fetched and led nowhere. */
export const visitAt =
	(at: number) =>
	(id: number, more: Partial<Visit> = {}): Visit => ({
		id,
		ending: { outcome: 'fetched' },
		attempts: 1,
		at,
		found: [],
		...more,
	});
