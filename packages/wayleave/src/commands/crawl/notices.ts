import { resolve } from 'node:path';
import type { ChangeEvent, Crawl, NoticeEvent, WatchOptions } from '@wayleave/crawler';
import { present } from '@wayleave/protocols';
import { quantity } from '@wayleave/protocols/text';
import { readNamedText } from '../../shared/options/read-named.ts';
import { type Terminal, UsageError } from '../../terminal/command.ts';
import type { CrawlFlags } from './flags.ts';

const secretVariable = 'WAYLEAVE_CHANGE_SECRET';

/** Options of a watch; undefined without one. @throws UsageError */
export function watchOptions(
	{ onChange = [], secretFile, history }: Pick<CrawlFlags, 'onChange' | 'secretFile' | 'history'>,
	terminal: Terminal,
): WatchOptions | undefined {
	if (onChange.length === 0 && secretFile !== undefined) throw new UsageError('--secret-file needs --on-change URL');
	if (onChange.length === 0 && history === undefined) return undefined;
	const secret = onChange.length === 0 ? '' : readSecret(secretFile, terminal);
	return present({ receivers: onChange.map((url) => ({ url, secret })), history });
}

function readSecret(file: string | undefined, terminal: Terminal): string {
	if (file !== undefined) return readNamedText(resolve(terminal.cwd, file), terminal, `--secret-file ${file}`);
	const secret = terminal.env[secretVariable];
	if (secret !== undefined && secret !== '') return secret;
	throw new UsageError(
		`--on-change signs notices with a secret: pass --secret-file FILE or set ${secretVariable}; create one with: openssl rand -base64 32 > secret`,
	);
}

/** Notes what a watch finds, and trouble with receivers. A notice that was taken needs no line. */
export function noteChanges(crawling: Crawl, note: (text: string) => void): void {
	crawling.on('change', (event) => note(changeText(event)));
	crawling.on('notice', (event) => {
		const text = noticeText(event);
		if (text !== undefined) note(text);
	});
}

function changeText({ kind, url, movedTo, terms }: ChangeEvent): string {
	if (kind === 'moved') return `moved: ${url} to ${movedTo}`;
	if (kind === 'gone' && movedTo !== undefined) return `gone: ${url} leads to ${movedTo}, another page`;
	if (kind === 'terms')
		return `terms changed: ${url} ${terms?.after.permitted ? 'may be read' : `may not be read: ${terms?.after.reason}`}`;
	return `${kind}: ${url}`;
}

function noticeText({ state, receiver, url, detail = '', waiting = 0, kept = 0 }: NoticeEvent): string | undefined {
	switch (state) {
		case 'delivered':
			return undefined;
		case 'waiting':
			return `notices for ${receiver} wait: ${detail}`;
		case 'kept':
			return `the notice of ${url} was not delivered: ${detail}; it is kept, and later ones of this page wait`;
		case 'stopped':
			return `${receiver} gets no more notices: ${detail}; wayleave store notices --retry lets it try again`;
		case 'left': {
			const parts = [
				...(waiting > 0 ? [`${quantity(waiting, 'notice')} waiting, which the next crawl sends`] : []),
				...(kept > 0 ? [`${quantity(kept, 'notice')} rejected: see wayleave store notices`] : []),
			];
			return `${receiver}: ${parts.join('; ')}`;
		}
	}
}
