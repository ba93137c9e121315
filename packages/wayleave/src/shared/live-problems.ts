import type { Problem, Severity } from '@wayleave/protocols';

const error = (sentence: string) => ({ severity: 'error' as const, sentence });
const warning = (sentence: string) => ({ severity: 'warning' as const, sentence });
const info = (sentence: string) => ({ severity: 'info' as const, sentence });

/** Severity and sentence of what differs between the policy file and what the world sees. */
export const liveProblems = {
	'live-unreachable': error('no response: {detail}'),
	'live-missing-file': error('{status}: the policy file publishes this file, but the site does not serve it'),
	'live-foreign-file': warning('{status}: the site serves this file, but the policy file does not publish it'),
	'live-wrong-type': warning('served as {type} instead of {wanted}'),
	'live-missing-line': error('{agent}: {text} is missing'),
	'live-foreign-line': error('{agent}: {text} is not in the policy file'),
	'live-agent-split': warning(
		'{agent} has {count} groups, in lines {lines}: parsers that use only the first one miss the others',
	),
	'live-text-differs': error('the site serves {found} instead of {wanted}'),
	'live-verdict-differs': error('the site gives a different verdict than the policy file'),
	'live-header-missing': info('the response has no {name}: {wanted}'),
	'live-not-announced': warning('neither a Link header nor a link element names the manifest'),
	'live-not-cacheable': info('Cache-Control: {found} prevents shared caching of the manifest'),
	'live-no-validator': info('the manifest has neither ETag nor Last-Modified: every poll transfers it whole'),
	'live-manifest-invalid': error('the manifest is not valid: {code}'),
	'live-digest-differs': error('{key} does not match its digest in the manifest: a proxy or CDN may rewrite pages'),
	'live-som-leak': error('the endpoint serves {page}, which is restricted: {why}'),
} satisfies Record<string, { severity: Severity; sentence: string }>;

export type LiveCode = keyof typeof liveProblems;

/** One thing that differs, and what follows from it. */
export interface LiveDifference {
	/** URL. */
	readonly file: string;
	readonly problem: Problem<LiveCode>;
	/** Verdicts that differ because of it. */
	readonly consequences: readonly string[];
}

export function difference(
	file: string,
	code: LiveCode,
	args: Problem['args'] = {},
	line = 0,
	consequences: readonly string[] = [],
): LiveDifference {
	const problem = { code, severity: liveProblems[code].severity, line, column: line > 0 ? 1 : 0, args };
	return { file, problem, consequences };
}
