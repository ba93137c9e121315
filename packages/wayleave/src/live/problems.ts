import type { Problem, Severity } from '@wayleave/protocols';

const error = (sentence: string) => ({ severity: 'error' as const, sentence });
const warning = (sentence: string) => ({ severity: 'warning' as const, sentence });
const info = (sentence: string) => ({ severity: 'info' as const, sentence });

/** Severity and sentence of what differs between the policy file and what the world sees. */
export const liveProblems = {
	'live-unreachable': error('no answer: {detail}'),
	'live-missing-file': error('{status}: it is meant to be there'),
	'live-foreign-file': warning('{status}: nothing is meant to be there'),
	'live-wrong-type': warning('served as {type}, not as {wanted}'),
	'live-missing-line': error('{agent}: {text} is missing'),
	'live-foreign-line': error('{agent}: {text} is not of the policy file'),
	'live-agent-split': warning(
		'{agent} has {count} groups, in lines {lines}: readers that take the first one only miss the others',
	),
	'live-text-differs': error('reads {found} where {wanted} is meant'),
	'live-verdict-differs': error('another verdict than the policy file means'),
	'live-header-missing': info('the response has no {name}: {wanted}'),
	'live-not-announced': warning('neither a Link header nor a link element names the manifest'),
	'live-not-cacheable': info('Cache-Control: {found}: a manifest is meant to be cached by everybody'),
	'live-no-validator': info('neither ETag nor Last-Modified: every poll costs the whole manifest'),
	'live-manifest-invalid': error('no valid manifest: {code}'),
	'live-digest-differs': error('other bytes than the manifest claims for {key}: something on the way rewrites pages'),
	'live-som-leak': error('the endpoint gives out {page}, which is restricted: {why}'),
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
