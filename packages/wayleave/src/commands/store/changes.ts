import { differenceSince, type NoticeCount, type StoreView } from '@wayleave/crawler';
import { oneLine, quantity } from '@wayleave/protocols/text';
import { hostFileName, readAddress } from '../../shared/options/seeds.ts';
import { tellFailure } from '../../shared/output/tell-failure.ts';
import { writeNamed } from '../../shared/output/write-file.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import { diffText } from './diff-text.ts';
import type { DiffFlags, DiffFormat, FeedFlags, NoticeFlags } from './flags.ts';

// What a watched crawl has kept: versions, changes, notices.

/** The store of a URL, where none is named. */
export const storeOfUrl = (text: string, { store }: Pick<DiffFlags, 'store'>): string =>
	store ?? `sqlite:./${hostFileName(readAddress(text))}.db`;

export async function showDiff(view: StoreView, text: string, flags: DiffFlags, terminal: Terminal): Promise<number> {
	const url = readAddress(text);
	const format: DiffFormat = flags.json ? 'json' : (flags.format ?? 'text');
	const since = flags.since === undefined ? undefined : readSince(flags.since);
	const fail = (code: string, message: string) =>
		tellFailure(terminal, { json: format === 'json' }, { code, message, url });
	const versions = await view.versions(url);
	if (versions === undefined) return fail('url-unknown', `${url} is not in the store`);
	const difference = differenceSince(versions, since);
	if (typeof difference === 'string') return fail('no-version', `${url}: ${difference}`);
	terminal.out(diffText(difference, format));
	return exitCodes.ok;
}

/** The number of a version, or a date. @throws UsageError */
function readSince(text: string): { readonly version: number } | { readonly at: number } {
	if (/^v?\d{1,9}$/.test(text)) return { version: Number(text.replace('v', '')) };
	// The whole of a day counts: what was fetched in the evening of it, too.
	const at = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59.999Z` : text);
	if (Number.isNaN(at))
		throw new UsageError(
			`--since ${text}: expected a date (2026-11-30), a time (2026-11-30T14:00Z) or the number of a version`,
		);
	return { at };
}

export async function writeFeed(view: StoreView, flags: FeedFlags, terminal: Terminal): Promise<number> {
	writeNamed(flags.out ?? '-', await view.feed(flags.limit ?? 100), terminal);
	return exitCodes.ok;
}

export async function showNotices(view: StoreView, flags: NoticeFlags, terminal: Terminal): Promise<number> {
	if (flags.retry) {
		const retried = await view.retryNotices();
		terminal.out(
			flags.json
				? `${JSON.stringify({ retried })}\n`
				: `${quantity(retried, 'rejected notice')} and all stopped receivers are tried again by the next crawl\n`,
		);
		return exitCodes.ok;
	}
	const receivers = await view.notices();
	const open = (await view.changes({ limit: 1000 })).flatMap(({ notices, ...change }) =>
		notices.filter(({ state }) => state !== 'delivered').map((notice) => ({ ...change, ...notice })),
	);
	const shown = open.slice(0, 20).map(({ kind, url, receiver, state, attempts, detail }) => ({
		...{ receiver, kind, url, state, attempts },
		...(detail !== undefined && { detail }),
	}));
	if (flags.json) terminal.out(`${JSON.stringify({ receivers, open: shown })}\n`);
	else terminal.out(noticesText(receivers, shown));
	return receivers.length > 0 ? exitCodes.ok : exitCodes.found;
}

interface Shown {
	readonly receiver: string;
	readonly kind: string;
	readonly url: string;
	readonly state: string;
	readonly attempts: number;
	readonly detail?: string;
}

function noticesText(receivers: readonly NoticeCount[], open: readonly Shown[]): string {
	if (receivers.length === 0) return 'no crawl of this store has sent notices: crawl with --on-change URL\n';
	const lines = receivers.flatMap(({ receiver, state, detail, waiting, delivered, kept }) => [
		`${withoutQuery(receiver)}: ${delivered} delivered, ${waiting} waiting, ${kept} rejected`,
		...(state === 'stopped' ? [`  stopped: ${detail ?? ''}; --retry lets it try again`] : []),
		...(state === 'open' && detail !== undefined ? [`  ${detail}`] : []),
		...open
			.filter((notice) => notice.receiver === receiver)
			.map(
				({ kind, url, state: which, attempts, detail: why }) =>
					`  ${which} ${kind} ${url}${attempts > 0 ? `, ${quantity(attempts, 'attempt')}` : ''}${why === undefined ? '' : `: ${why}`}`,
			),
	]);
	return `${lines.map(oneLine).join('\n')}\n`;
}

const withoutQuery = (address: string): string => address.replace(/\?.*$/s, '?…');
