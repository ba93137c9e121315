import type { Severity } from '../problem.ts';

/** What can be odd about a robots.txt file; there is a page for each in `docs/problems/`. */
export type RobotsCode = keyof typeof robotsProblems;

const error = (sentence: string) => ({ severity: 'error' as const, sentence });
const warning = (sentence: string) => ({ severity: 'warning' as const, sentence });
const info = (sentence: string) => ({ severity: 'info' as const, sentence });

/** Severity and sentence of each code; `{name}` stands for an argument. */
export const robotsProblems = {
	'absolute-url-in-rule': warning('a rule must be a path; the URL "{pattern}" matches nothing'),
	'agent-cut': warning('most parsers cut "{name}" to "{token}"'),
	'agent-list-split-by-crawl-delay': warning('the agents above and below this Crawl-delay share one set of rules'),
	'agent-list-split-by-record': warning('the agents above and below "{key}" share one set of rules'),
	'agent-repeated': info('"{name}" is already named in line {first}'),
	'allow-and-disallow': warning('line {first} has the opposite rule for the same path; Allow wins'),
	'bad-crawl-delay': warning('"{value}" is not a number of seconds'),
	'byte-order-mark': info('begins with a byte order mark, which some parsers read as part of the first key'),
	'dollar-inside-pattern': info('"$" marks the end of the path only as the last character'),
	'empty-agent': warning('has no agent name; the rules below it apply to no agent'),
	'full-ua-string': warning('this is a whole User-Agent header; write the product token "{token}"'),
	'group-repeated': warning('"{name}" already has a group at line {first}; some parsers use only one of them'),
	'hash-in-value': info('"#" begins a comment; the text after it is not part of the value'),
	'html-instead-of-robots': error('this is a web page, not a robots.txt file'),
	'invalid-percent': info('"%" is not followed by two hexadecimal digits'),
	'invalid-utf8': warning('contains bytes that are not UTF-8'),
	'invisible-character': warning('holds {code}, a blank that cannot be seen: most readers match nothing with it'),
	'key-prefix': warning('Google reads "{key}" as "{meant}"'),
	'line-too-long': warning('is longer than {limit} bytes; Google ignores the rest'),
	'misspelt-key': warning('only some parsers read "{key}" as "{meant}"'),
	'missing-colon': warning('no colon after "{key}"; some parsers skip this line'),
	'not-a-record': warning('neither a record nor a comment'),
	'nul-byte': warning('a NUL byte ends the line'),
	'partial-byte-order-mark': warning('begins with part of a byte order mark'),
	'pattern-without-slash': warning('"{pattern}" begins with neither "/" nor "*" and matches nothing'),
	'record-outside-group': warning('"{key}" comes before the first User-agent line and applies to no agent'),
	'rule-outside-group': warning('comes before the first User-agent line and is ignored'),
	'rule-repeated': info('line {first} has the same rule'),
	'sitemap-not-absolute': warning('"{value}" is not an absolute URL'),
	'star-in-agent': warning('"*" is not a wildcard inside a name; it is read as "{token}"'),
	truncated: warning('is longer than {limit} bytes; the rest was ignored'),
	'unknown-key': info('no known parser supports "{key}"'),
	'utf-16': error('is UTF-16, in which most parsers find no rule; save it as UTF-8'),
	'robots-omitted': info('{count} more problems are not listed'),
} satisfies Record<string, { severity: Severity; sentence: string }>;
