import { vi } from 'vitest';
import { fileDriver } from '../sql/drivers/choose.ts';
import type { Connection } from '../sql/drivers/driver.ts';

/** A connection of its own to an SQLite file, as another process has it. */
export function openRaw(file: string, busyTimeout = 5000): Connection {
	return fileDriver().open(file, busyTimeout);
}

/** Runs statements one by one. */
export function execute(connection: Connection, ...texts: readonly string[]): void {
	for (const text of texts) {
		const statement = connection.prepare(text);
		if (statement.reader) statement.all([]);
		else statement.run([]);
	}
}

/**
 * Puts something in the place of every connection that is opened from now on.
 *
 * @returns what ends it
 */
export function interceptConnections(replace: (connection: Connection) => Connection): () => void {
	const driver = fileDriver();
	const open = driver.open.bind(driver);
	const spy = vi.spyOn(driver, 'open').mockImplementation((...asked) => replace(open(...asked)));
	return () => spy.mockRestore();
}
