import type { Severity } from '../problem.ts';

/** What can be odd about a robots.txt file; there is a page for each in `docs/problems/`. */
export type RobotsCode = keyof typeof robotsProblems;

const error = (sentence: string) => ({ severity: 'error' as const, sentence });
const warning = (sentence: string) => ({ severity: 'warning' as const, sentence });
const info = (sentence: string) => ({ severity: 'info' as const, sentence });

/** Severity and sentence of each code; `{name}` stands for an argument. */
export const robotsProblems = {
	'absolute-url-in-rule': warning('a rule is a path; "{pattern}" matches nothing'),
	'agent-cut': warning('"{name}" is cut to "{token}" by most readers'),
	'agent-list-split-by-crawl-delay': warning('the agents above and below this Crawl-delay share one set of rules'),
	'agent-list-split-by-record': warning('the agents above and below "{key}" share one set of rules'),
	'agent-repeated': info('"{name}" is already named in line {first}'),
	'allow-and-disallow': warning('the same path has the opposite rule in line {first}; Allow wins'),
	'bad-crawl-delay': warning('"{value}" is not a number of seconds'),
	'byte-order-mark': info('begins with a byte order mark, which some readers take for part of the first key'),
	'dollar-inside-pattern': info('"$" is the end only as the last character'),
	'empty-agent': warning('names nobody: the rules below apply to no agent'),
	'full-ua-string': warning('a whole User-Agent header; write the product token "{token}"'),
	'group-repeated': warning('"{name}" already has a group at line {first}; some readers take only one of them'),
	'hash-in-value': info('"#" begins a comment; what follows is not part of the value'),
	'html-instead-of-robots': error('a web page, not a robots.txt file'),
	'invalid-percent': info('"%" without two hexadecimal digits'),
	'invalid-utf8': warning('holds bytes that are not UTF-8'),
	'key-prefix': warning('Google reads "{key}" as "{meant}"'),
	'line-too-long': warning('longer than {limit} bytes; Google does not read the rest'),
	'misspelt-key': warning('"{key}" is understood as "{meant}" by some readers only'),
	'missing-colon': warning('no colon after "{key}": some readers skip this line'),
	'not-a-record': warning('neither a record nor a comment'),
	'nul-byte': warning('a NUL byte ends the line'),
	'partial-byte-order-mark': warning('begins with part of a byte order mark'),
	'pattern-without-slash': warning('"{pattern}" begins with neither "/" nor "*" and matches nothing'),
	'record-outside-group': warning('"{key}" stands before the first User-agent line and speaks to nobody'),
	'rule-outside-group': warning('stands before the first User-agent line and is ignored'),
	'rule-repeated': info('the same rule stands in line {first}'),
	'sitemap-not-absolute': warning('"{value}" is not an absolute URL'),
	'star-in-agent': warning('"*" is not a wildcard inside a name; read as "{token}"'),
	truncated: warning('longer than {limit} bytes; the rest was not read'),
	'unknown-key': info('no reader known to us acts on "{key}"'),
	'utf-16': error('is UTF-16; robots.txt must be UTF-8'),
} satisfies Record<string, { severity: Severity; sentence: string }>;
