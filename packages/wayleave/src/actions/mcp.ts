import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { defaultBotUrl, defaultCategory } from '@wayleave/crawler';
import { buildAgentIdentity, buildUserAgent } from '@wayleave/protocols/identity';
import { exitCodes, type Terminal } from '../command.ts';
import type { McpFlags } from '../commands/mcp.ts';
import { openLocalLibrary } from '../mcp/local-library.ts';
import { createMcpServer } from '../mcp/server.ts';
import { agentOptions } from '../options/agent.ts';
import { storeUrl } from '../options/store.ts';
import { version } from '../version.ts';

export async function runMcp(flags: McpFlags, terminal: Terminal): Promise<number> {
	const { botName = 'Wayleave', botUrl = defaultBotUrl } = flags;
	const library = await openLocalLibrary({
		userAgent: buildUserAgent({ botUrl, botName }),
		headers: {
			'X-Agent-Identity': buildAgentIdentity({ name: botName, version, category: flags.category ?? defaultCategory }),
		},
		store: storeUrl(flags.store, terminal.cwd),
		crawling: agentOptions(flags, [], terminal.cwd),
		privateHosts: (flags.allowPrivate ?? []).map((host) => host.toLowerCase()),
	});
	try {
		const server = createMcpServer(library);
		const ended = new Promise<void>((resolve) => {
			server.server.onclose = resolve;
			// The client has gone: the transport does not notice.
			process.stdin.once('end', resolve);
			const ignore = terminal.onInterrupt(() => {
				ignore();
				resolve();
			});
		});
		await server.connect(new StdioServerTransport());
		await ended;
		await server.close();
	} finally {
		await library.close();
	}
	return exitCodes.ok;
}
