import { Command } from 'commander';
import type { CommandFactory } from '../command.ts';
import { type AgentFlags, withServerOptions } from '../options/agent.ts';
import { list } from '../options/numbers.ts';
import { type RenderFlags, withRenderOptions } from '../options/render.ts';

const work = () => import('../actions/mcp.ts');

export interface McpFlags extends AgentFlags, RenderFlags {
	store: string;
	allowPrivate?: string[];
}

export const mcpCommand: CommandFactory = (terminal, done) => {
	const command = new Command('mcp')
		.option('--store <URL>', 'where documents are kept and searched', 'sqlite:./wayleave.db')
		.option('--allow-private <HOST>', 'a host that may be on a private network (repeatable)', list);
	withRenderOptions(withServerOptions(command));
	command.addHelpText('after', examples);
	return command.action(async (flags: McpFlags) => done(await (await work()).runMcp(flags, terminal)));
};

const examples = `
Speaks MCP over stdin and stdout. In the configuration of an assistant:
  { "mcpServers": { "wayleave": { "command": "npx", "args": ["wayleave", "mcp"] } } }

The service has the same tools at /mcp (wayleave serve). Tools: fetch_document, crawl_site, check_policy, lint,
search_documents, explain.`;
