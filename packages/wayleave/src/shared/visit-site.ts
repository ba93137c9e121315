import { createPoliteClient, type PoliteClientOptions } from '@wayleave/crawler';
import { type PoliteFetch, politeFetch } from '@wayleave/crawler/check';
import type { Terminal } from '../terminal/command.ts';
import type { ClientFlags } from './options/agent.ts';
import { clientOptions } from './options/client.ts';
import { waitNotes } from './output/wait-notes.ts';

/** Reading a few files does not wait for a site that wants a pause. */
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
