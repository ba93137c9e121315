import { error, info, type ProblemTable, warning } from '../internal/problem-maker.ts';
import type { Problem } from '../problem.ts';

/** Severity and sentence of each code; `{name}` stands for an argument. An error voids the list, a warning one entry. */
export const rangesProblems = {
	'ranges-invalid-utf8': error('contains bytes that are not UTF-8; the list is ignored'),
	'ranges-utf-16': error('is UTF-16; a list must be UTF-8, and crawlers and sites ignore it'),
	'ranges-byte-order-mark': info('begins with a byte order mark, which strict JSON parsers reject'),
	'ranges-invalid-json': error('is not valid JSON from here on; the list is ignored'),
	'ranges-not-an-object': error('is not a JSON object; the list is ignored'),
	'ranges-unsupported-version': error('the version of the format, {version}, is not 1.x; the list is ignored'),
	'ranges-no-prefixes': error('has no prefixes array; the last valid list stays in use'),
	'ranges-missing-synctoken': warning('has no synctoken'),
	'ranges-missing-creation-time': warning('has no creationTime'),
	'ranges-creation-time': warning('creationTime {value} is not a UTC time in the form YYYY-MM-DDThh:mm:ssZ'),
	'ranges-wrong-type': warning('{field} is not {expected} and is ignored'),
	'ranges-prefix-fields': warning('an entry needs exactly one of ipv4Prefix and ipv6Prefix; this entry is ignored'),
	'ranges-malformed-prefix': warning('{prefix} is not an {family} range in CIDR notation and is ignored'),
	'ranges-wrong-family': warning('{prefix} is not an {family} range and is ignored'),
	'ranges-host-bits': warning('{prefix} has bits set beyond its prefix length and is ignored; did you mean {meant}?'),
	'ranges-hidden-character': warning('{prefix} contains invisible characters or white space'),
	'ranges-duplicate': info('{prefix} is listed twice for the same service'),
	'ranges-synctoken-unchanged': error('the ranges changed, but synctoken is still {synctoken}'),
	'ranges-too-broad': warning('{prefix} covers more addresses than any crawler operator has and is ignored'),
	'ranges-cover-too-much': error(
		'the {family} entries together cover more than a /{length}; the list is not used to verify any client',
	),
	'ranges-own-form': info('is in a form of its operator; {count} ranges were found in it'),
	'ranges-nothing-read': error('no entry could be read as a range'),
	'ranges-omitted': info('{count} more problems are not listed'),
} satisfies ProblemTable;

export type RangesProblemCode = keyof typeof rangesProblems;
export type RangesProblem = Problem<RangesProblemCode>;
