import { differenceLines, termLines } from '../inspect/changes-feed.ts';
import type { StoreReader } from '../store/roles/reader.ts';
import type { LoggedChange } from '../store/roles/watch.ts';
import { shownReceiver } from '../watch/webhook.ts';
import type { PageChangesPage, ShownChange } from './api.ts';

/** Changes that a watched crawl has logged, of all pages or of one, with the state of their notices. */
export async function readPageChanges(
	store: StoreReader,
	{ url, after, limit }: { readonly url?: string; readonly after: number; readonly limit: number },
): Promise<PageChangesPage> {
	const request = { limit, ...(after > 0 && { before: after }), ...(url !== undefined && { url }) };
	const changes = (await store.watch?.log(request)) ?? [];
	const last = changes.length === limit ? changes.at(-1) : undefined;
	return { changes: changes.map(showChange), ...(last && { next: String(last.number) }) };
}

function showChange({ id, at, kind, url, held, change, notices }: LoggedChange): ShownChange {
	const { title, movedTo, diff, withheld, terms, reason } = change;
	const lines = terms === undefined ? diff && differenceLines(diff).slice(1) : termLines(terms);
	return {
		...{ id, at, kind, url, isHeld: held },
		...(title !== undefined && title !== '' && { title }),
		...(movedTo !== undefined && { movedTo }),
		difference: (lines ?? [withheld ?? reason ?? '']).join('\n'),
		notices: notices.map(({ receiver, state, attempts, detail }) => ({
			...{ receiver: shownReceiver(receiver), state, attempts },
			...(detail !== undefined && { detail }),
		})),
	};
}
