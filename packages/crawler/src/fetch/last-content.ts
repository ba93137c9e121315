import type { LastSeen } from '../store/roles/frontier.ts';
import type { CrawlContext } from './crawl-context.ts';

/** Validators for a page: only if there is a snapshot to emit after a 304. */
export async function lastContent(
	url: string,
	{ store, conditional }: Pick<CrawlContext, 'store' | 'conditional'>,
): Promise<LastSeen | undefined> {
	const snapshot = conditional ? await store.pages.snapshot(url) : undefined;
	return snapshot && { ...snapshot, kept: true };
}
