import { inject } from 'vitest';

/** Makes an empty database on the PostgreSQL server of this run of the tests; returns its URL. */
export async function newDatabase(): Promise<string> {
	const response = await fetch(inject('databases'));
	const text = await response.text();
	if (!response.ok) throw new Error(`there is no PostgreSQL: ${text}`);
	return text;
}
