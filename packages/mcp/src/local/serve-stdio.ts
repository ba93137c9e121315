import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Library } from '../call/library.ts';
import { createMcpServer } from '../server/server.ts';

/** Serves one client over stdin and stdout. Resolves when the client disconnects, or when `stopped` resolves. */
export async function serveStdio(library: Library, stopped: Promise<void>): Promise<void> {
	const server = createMcpServer(library);
	const ended = new Promise<void>((resolve) => {
		server.server.onclose = resolve;
		// The transport does not notice when the client closes stdin.
		process.stdin.once('end', resolve);
	});
	await server.connect(new StdioServerTransport());
	await Promise.race([ended, stopped]);
	await server.close();
}
