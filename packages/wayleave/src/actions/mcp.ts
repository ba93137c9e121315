import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { listenForInterruption } from '../cli/interruption.ts';
import { exitCodes, type Terminal } from '../command.ts';
import type { McpFlags } from '../commands/mcp.ts';
import { openLocalLibrary } from '../mcp/local-library.ts';
import { createMcpServer } from '../mcp/server.ts';
import { serverOptions } from '../options/client.ts';
import { tellMissingContact } from '../options/contact.ts';
import { renderOptions } from '../options/render.ts';
import { storeUrl } from '../options/store.ts';
import { tellMissingBrowser } from './fetch.ts';

export async function runMcp(flags: McpFlags, terminal: Terminal): Promise<number> {
	const crawling = serverOptions(flags, terminal);
	tellMissingContact(crawling, terminal);
	tellMissingBrowser(flags, terminal);
	const library = await openLocalLibrary({
		store: storeUrl(flags.store, terminal.cwd),
		crawling: { ...crawling, ...renderOptions(flags) },
		privateHosts: (flags.allowPrivate ?? []).map((host) => host.toLowerCase()),
	});
	const interruption = listenForInterruption(terminal);
	try {
		const server = createMcpServer(library);
		const ended = new Promise<void>((resolve) => {
			server.server.onclose = resolve;
			// The client has gone: the transport does not notice.
			process.stdin.once('end', resolve);
		});
		await server.connect(new StdioServerTransport());
		await Promise.race([ended, interruption.reached]);
		await server.close();
	} finally {
		interruption.ignore();
		await library.close();
	}
	return exitCodes.ok;
}
