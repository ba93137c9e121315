import { error, info, type ProblemTable, warning } from '../internal/problem-maker.ts';
import type { Problem } from '../problem.ts';

/** Severity and sentence of each code; `{name}` stands for an argument. One error voids the manifest. */
export const pagedigestProblems = {
	'pagedigest-too-large': error('is larger than {limit} bytes; consumers may ignore it'),
	'pagedigest-invalid-utf8': error('contains bytes that are not UTF-8'),
	'pagedigest-byte-order-mark': info('begins with a byte order mark, which strict JSON parsers reject'),
	'pagedigest-invalid-json': error('is not valid JSON from here on'),
	'pagedigest-not-an-object': error('{field} is not an object'),
	'pagedigest-missing-field': error('{field} is missing'),
	'pagedigest-unsupported-version': error('is not version 1'),
	'pagedigest-invalid-integer': error('{field} is not an integer from 0 to 9007199254740991'),
	'pagedigest-invalid-timestamp': error('{field} is not an ISO 8601 time in UTC'),
	'pagedigest-invalid-coverage': error('coverage must be "complete" or a list of prefixes that begin with /'),
	'pagedigest-duplicate-key': error('{key} appears twice in one object'),
	'pagedigest-invalid-key': error('{key} is not a percent-encoded, origin-relative path with an optional query'),
	'pagedigest-invalid-digest': error('the digest is not sha256: followed by 64 lowercase hexadecimal digits'),
	'pagedigest-open-prefix': warning('prefix {prefix} does not end with /, so it also covers its siblings'),
	'pagedigest-tracking-key': warning('{key} has a tracking parameter that does not change the content'),
	'pagedigest-uncovered-key': warning('{key} is outside the coverage prefixes'),
	'pagedigest-reserved-field': info('{field} is reserved for later versions; consumers ignore it'),
	'pagedigest-omitted': info('{count} more problems are not listed'),
	'pagedigest-site-rev-decreased': error('site_rev went down from {before} to {after}; consumers reject the manifest'),
	'pagedigest-rev-decreased': error('the rev of {key} went down from {before} to {after}'),
	'pagedigest-site-rev-not-raised': error('site_rev is still {before}, although {what} changed'),
	'pagedigest-rev-not-raised': warning('the bytes of {key} changed, but its rev is still {before}'),
	'pagedigest-rev-without-change': warning('the rev of {key} went up, but its bytes did not change'),
	'pagedigest-revisions-unreadable': error('is not a revision state file of Wayleave'),
	'pagedigest-revisions-behind': warning(
		'the published manifest has higher revisions than the revision state; all revisions jump to {rev}',
	),
} satisfies ProblemTable;

export type PagedigestProblemCode = keyof typeof pagedigestProblems;
export type PagedigestProblem = Problem<PagedigestProblemCode>;
