import { Command } from 'commander';
import { withPackage } from '../../shared/optional-packages.ts';
import { withServerOptions } from '../../shared/options/agent.ts';
import { list } from '../../shared/options/numbers.ts';
import { withRenderOptions } from '../../shared/options/render.ts';
import type { CommandFactory } from '../../terminal/command.ts';
import type { McpFlags } from './flags.ts';

const work = () => withPackage('@wayleave/mcp', 'mcp', () => import('./run.ts'));

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
  { "mcpServers": { "wayleave": { "command": "npx", "args": ["-y", "-p", "wayleave", "-p", "@wayleave/mcp", "wayleave", "mcp"] } } }

The service has the same tools at /mcp (wayleave serve). Tools: fetch_document, crawl_site, check_policy, lint,
search_documents, explain.`;
