import type { LastSeen } from '../store/roles/frontier.ts';
import type { CrawlContext } from './crawl-context.ts';

/** By what a page that is wanted itself may be asked for: only when there is a snapshot to give in place of a 304. */
export async function lastContent(
	url: string,
	{ store, conditional }: Pick<CrawlContext, 'store' | 'conditional'>,
): Promise<LastSeen | undefined> {
	const snapshot = conditional ? await store.snapshot(url) : undefined;
	return snapshot && { ...snapshot, kept: true };
}
