import type { Problem, Severity } from '../problem.ts';

const error = (sentence: string) => ({ severity: 'error' as const, sentence });
const warning = (sentence: string) => ({ severity: 'warning' as const, sentence });
const info = (sentence: string) => ({ severity: 'info' as const, sentence });

/** Severity and sentence of each code; `{name}` stands for an argument. An error voids the list, a warning one entry. */
export const rangesProblems = {
	'ranges-invalid-utf8': error('holds bytes that are not UTF-8: the list is not read'),
	'ranges-byte-order-mark': info('begins with a byte order mark, at which strict JSON readers stop'),
	'ranges-invalid-json': error('is not JSON from here on: the list is not read'),
	'ranges-not-an-object': error('is not one JSON object: the list is not read'),
	'ranges-unsupported-version': error('formatVersion {version} is not 1.x: the list is not read'),
	'ranges-legacy-format': warning('has no formatVersion: read as a list from before the draft'),
	'ranges-no-prefixes': error('has no prefixes array: this is no list, and the last good one stays in use'),
	'ranges-missing-synctoken': warning('has no synctoken'),
	'ranges-missing-creation-time': warning('has no creationTime'),
	'ranges-creation-time': warning('creationTime {value} is not written as YYYY-MM-DDThh:mm:ssZ in UTC'),
	'ranges-wrong-type': warning('{field} is not {expected}: it is ignored'),
	'ranges-prefix-fields': warning('an entry needs exactly one of ipv4Prefix and ipv6Prefix: this one is ignored'),
	'ranges-malformed-prefix': warning('{prefix} is no {family} range in CIDR notation: it is ignored'),
	'ranges-wrong-family': warning('{prefix} is no {family} range: it is ignored'),
	'ranges-host-bits': warning('{prefix} has bits set behind its length: it is ignored. Is {meant} meant?'),
	'ranges-hidden-character': warning('{prefix} is written with invisible characters or white space'),
	'ranges-duplicate': info('{prefix} stands twice for the same service'),
	'ranges-synctoken-unchanged': error('the ranges changed while synctoken stayed {synctoken}'),
	'ranges-too-broad': warning('{prefix} covers more addresses than one operator of crawlers has: it is ignored'),
	'ranges-cover-too-much': error('the {family} entries together cover more than a /{length}: the list verifies nobody'),
	'ranges-omitted': info('{count} more problems are not listed'),
} satisfies Record<string, { severity: Severity; sentence: string }>;

export type RangesProblemCode = keyof typeof rangesProblems;
export type RangesProblem = Problem<RangesProblemCode>;
