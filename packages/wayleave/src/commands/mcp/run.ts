import { openLocalLibrary, serveStdio } from '@wayleave/mcp/local';
import { listenForInterruption } from '../../shared/interruption.ts';
import { serverOptions } from '../../shared/options/client.ts';
import { tellMissingContact } from '../../shared/options/contact.ts';
import { renderOptions } from '../../shared/options/render.ts';
import { storeUrl } from '../../shared/options/store.ts';
import { tellMissingBrowser } from '../../shared/page-report.ts';
import { exitCodes, type Terminal } from '../../terminal/command.ts';
import type { McpFlags } from './flags.ts';

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
		await serveStdio(library, interruption.reached);
	} finally {
		interruption.ignore();
		await library.close();
	}
	return exitCodes.ok;
}
