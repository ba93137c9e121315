import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { CrawlError, explainReason, type Reason, type Result } from '@wayleave/crawler';
import { publicFailure } from '@wayleave/io/http';
import { fileTypeNames } from '@wayleave/protocols/file-types';
import { oneLine, placeOf } from '@wayleave/protocols/text';
import { ServiceError, serviceProblems } from '@wayleave/service/problems';
import { failed, field } from './fence.ts';

/** Advice for a caller about an unavailable page; other reasons include it. */
const advice: Readonly<Record<string, string>> = {
	'unsupported-type': `Only HTML, Markdown and plain text can be read, and ${fileTypeNames()} files if the operator has installed @wayleave/files: look for a page about this file, or leave it out.`,
	'no-content': 'The server sent no content: try the URL again later, or another one.',
	'extraction-failed': 'Try another address of the same content.',
	'rate-limited': 'Call again later.',
	'robots-unreachable': 'Call again later.',
	'robots2-unreachable': 'Call again later.',
	'http-401': 'It requires a login: look for a public page with the same content, or ask the user for the text.',
	'no-contact': 'The operator of this server must set a contact with --contact ADDRESS.',
	'dns-not-found': 'Check the spelling of the host.',
	'private-address': 'The operator of this server can allow a private host with --allow-private HOST.',
};

/** Why there is no document, separated by author. */
export interface FailureTexts {
	readonly ours: readonly string[];
	/** Details and lines that quote the site. */
	readonly theirs: readonly string[];
}

/** The text for a page without a document. */
export function failureTexts({ outcome, reason, evidence = [], retryAt, detail, redirectedTo }: Result): FailureTexts {
	const sentence = reason === undefined ? outcome : `${outcome}: ${explainReason(reason as Reason)} (${reason})`;
	const next = advice[reason ?? ''] ?? (outcome === 'refused' ? 'Do not try to work around it.' : undefined);
	return {
		ours: [
			`${sentence}.`,
			...(retryAt === undefined ? [] : [`Not before ${retryAt}.`]),
			...(next === undefined ? [] : [next]),
		],
		theirs: [
			...field('redirected to', redirectedTo),
			...field('detail', detail),
			...evidence.map((line) => oneLine(`${placeOf(line)}: ${line.text}`)),
		],
	};
}

/** The result for a page without a document. */
export function failedFetch(result: Result): CallToolResult {
	const { ours, theirs } = failureTexts(result);
	return failed([`url: ${result.url}`, ...ours], theirs.join('\n'), 'site');
}

/** The result for an error that ended a tool. Its text may quote a site, or name an address that is not public. */
export function failedCall(error: unknown): CallToolResult {
	if (error instanceof ServiceError) {
		const { detail, retry_after: seconds } = error.more;
		const again = seconds === undefined ? [] : [`Call again in ${seconds} seconds.`];
		return failed([`${serviceProblems[error.code]} (${error.code}).`, ...again], detail && oneLine(detail), 'site');
	}
	const code = error instanceof CrawlError ? error.code : 'internal-error';
	const detail = error instanceof Error ? publicFailure({ detail: error.message }) : undefined;
	return failed(
		`the call failed (${code}). Try it again; if it fails again, tell the user.`,
		detail && oneLine(detail),
		'site',
	);
}
