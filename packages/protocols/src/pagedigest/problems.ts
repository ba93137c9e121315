import type { Problem, Severity } from '../problem.ts';

const error = (sentence: string) => ({ severity: 'error' as const, sentence });
const warning = (sentence: string) => ({ severity: 'warning' as const, sentence });
const info = (sentence: string) => ({ severity: 'info' as const, sentence });

/** Severity and sentence of each code; `{name}` stands for an argument. One error voids the manifest (AMB-90). */
export const pagedigestProblems = {
	'pagedigest-too-large': error('is larger than {limit} bytes: consumers need not read it'),
	'pagedigest-invalid-utf8': error('holds bytes that are not UTF-8'),
	'pagedigest-byte-order-mark': info('begins with a byte order mark, at which strict JSON readers stop'),
	'pagedigest-invalid-json': error('is not JSON from here on'),
	'pagedigest-not-an-object': error('{field} is not an object'),
	'pagedigest-missing-field': error('{field} is missing'),
	'pagedigest-unsupported-version': error('is not of version 1'),
	'pagedigest-invalid-integer': error('{field} is not written as an integer from 0 to 9007199254740991'),
	'pagedigest-invalid-timestamp': error('{field} is not an ISO 8601 time in UTC'),
	'pagedigest-invalid-coverage': error('coverage is neither complete nor a list of prefixes that begin with /'),
	'pagedigest-duplicate-key': error('{key} stands twice in one object'),
	'pagedigest-invalid-key': error('{key} is no origin-relative path with an optional query, percent-encoded'),
	'pagedigest-invalid-digest': error('the digest is not sha256: and 64 lowercase hexadecimal digits'),
	'pagedigest-open-prefix': warning('prefix {prefix} does not end with /, so it also covers its siblings'),
	'pagedigest-tracking-key': warning('{key} is a variant that does not change the content'),
	'pagedigest-uncovered-key': warning('{key} lies outside the prefixes of coverage'),
	'pagedigest-reserved-field': info('{field} is reserved for later versions: consumers ignore it'),
	'pagedigest-omitted': info('{count} more problems are not listed'),
	'pagedigest-site-rev-decreased': error('site_rev went from {before} to {after}: consumers drop the manifest'),
	'pagedigest-rev-decreased': error('the rev of {key} went from {before} to {after}'),
	'pagedigest-site-rev-not-raised': error('site_rev stayed at {before} although {what} changed'),
	'pagedigest-rev-not-raised': warning('the bytes of {key} changed while its rev stayed at {before}'),
	'pagedigest-rev-without-change': warning('the rev of {key} rose while its bytes stayed the same'),
	'pagedigest-revisions-unreadable': error('is no revision state of this program'),
	'pagedigest-revisions-behind': warning(
		'the published manifest is ahead of the revision state: all revisions jump to {rev}',
	),
} satisfies Record<string, { severity: Severity; sentence: string }>;

export type PagedigestProblemCode = keyof typeof pagedigestProblems;
export type PagedigestProblem = Problem<PagedigestProblemCode>;
