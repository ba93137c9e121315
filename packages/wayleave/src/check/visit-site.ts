import { createPoliteClient, type PoliteClientOptions } from '@wayleave/crawler';
import type { Terminal } from '../command.ts';
import type { ClientFlags } from '../options/agent.ts';
import { clientOptions } from '../options/client.ts';
import { waitNotes } from '../output/wait-notes.ts';
import { type PoliteFetch, politeFetch } from './fetch-file.ts';

/** A site that wants a pause is not waited for by somebody who looks at a few of its files. */
export const patience: PoliteClientOptions = { maxPause: 0 };

/** Looks at the site of a URL as the crawler does: as the same agent, at the same pace. */
export async function visitSite<Seen>(
	url: string,
	flags: ClientFlags & { readonly json?: boolean },
	terminal: Terminal,
	look: (fetch: PoliteFetch) => Promise<Seen>,
	more: PoliteClientOptions = {},
): Promise<Seen> {
	const notes = waitNotes(terminal, flags);
	const options = await clientOptions(flags, [url], terminal);
	const client = createPoliteClient([url], { ...patience, ...more, ...options, onProgress: notes.onProgress });
	try {
		return await look(politeFetch(client));
	} finally {
		notes.stop();
		await client.close();
	}
}
