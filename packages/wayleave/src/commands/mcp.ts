import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { defaultBotUrl, defaultCategory } from '@wayleave/crawler';
import { buildAgentIdentity, buildUserAgent } from '@wayleave/protocols/identity';
import { Command } from 'commander';
import { type CommandFactory, exitCodes, type Terminal } from '../command.ts';
import { openLocalLibrary } from '../mcp/local-library.ts';
import { createMcpServer } from '../mcp/server.ts';
import { type AgentFlags, agentOptions, withAgentOptions } from '../options/agent.ts';
import { list } from '../options/numbers.ts';
import { storeUrl } from '../options/store.ts';
import { version } from '../version.ts';

interface McpFlags extends AgentFlags {
	store: string;
	allowPrivate?: string[];
}

export const mcpCommand: CommandFactory = (terminal, done) => {
	const command = new Command('mcp')
		.option('--store <URL>', 'where documents are kept and searched', 'sqlite:./wayleave.db')
		.option('--allow-private <HOST>', 'a host that may be on a private network (repeatable)', list);
	withAgentOptions(command);
	command.addHelpText('after', examples);
	return command.action(async (flags: McpFlags) => done(await runMcp(flags, terminal)));
};

const examples = `
Speaks MCP over stdin and stdout. In the configuration of an assistant:
  { "mcpServers": { "wayleave": { "command": "npx", "args": ["wayleave", "mcp"] } } }

The service has the same tools at /mcp (wayleave serve). Tools: fetch_document, crawl_site, check_policy, lint,
search_documents, explain.`;

async function runMcp(flags: McpFlags, terminal: Terminal): Promise<number> {
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
