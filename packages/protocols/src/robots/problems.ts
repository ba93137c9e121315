import { error, info, type ProblemTable, warning } from '../internal/problem-maker.ts';

/** Problem codes of robots.txt; there is a page for each in `docs/problems/`. */
export type RobotsCode = keyof typeof robotsProblems;

/** Severity and sentence of each code; `{name}` stands for an argument. */
export const robotsProblems = {
	'absolute-url-in-rule': warning('a rule must be a path; the URL "{pattern}" matches nothing'),
	'agent-begins-with-digit': info(
		'"{name}": a product token begins with a letter; some readers match no agent with it',
	),
	'agent-cut': warning('most parsers cut "{name}" to "{token}"'),
	'agent-list-split-by-crawl-delay': warning(
		'the Crawl-delay ends no list: the agents above it and the one in line {agent} share one set of rules',
	),
	'agent-list-split-by-record': warning(
		'"{key}" ends no list: the agents above it and the one in line {agent} share one set of rules',
	),
	'agent-repeated': info('"{name}" is already named in line {first}'),
	'agent-version': info('some parsers match no agent because of the version in "{name}"; write "{token}"'),
	'agent-list': warning(
		'several names in one line: most parsers read only "{token}"; give each its own User-agent line',
	),
	'allow-and-disallow': warning('line {first} has the opposite rule for the same path; Allow wins'),
	'bad-crawl-delay': warning('"{value}" is not a number of seconds'),
	'bare-address': warning('an address alone is not read: is "Sitemap: {url}" meant?'),
	'browser-user-agent': warning(
		'the User-Agent of a browser: no crawler is named "{name}", so these rules apply to none',
	),
	'byte-order-mark': info('begins with a byte order mark, which some parsers read as part of the first key'),
	'disallow-commented-out': warning('the path comes after a "#", so this Disallow is empty and forbids nothing'),
	'dollar-inside-pattern': info('"$" marks the end of the path only as the last character'),
	'empty-agent': warning('has no agent name; the rules below it apply to no agent'),
	'full-ua-string': warning('this is a whole User-Agent header; write the product token {advice}'),
	'group-repeated': warning('"{name}" already has a group at line {first}; some parsers use only one of them'),
	'hash-in-value': info('"#" begins a comment; the text after it is not part of the value'),
	'html-instead-of-robots': error('this is a web page, not a robots.txt file'),
	'index-page-opens-folder': info('Google also opens "{folder}" by this Allow, which is disallowed otherwise'),
	'invalid-percent': info('"%" is not followed by two hexadecimal digits'),
	'invalid-utf8': warning('contains bytes that are not UTF-8'),
	'invisible-character': warning('holds {code}, a blank that cannot be seen: most readers match nothing with it'),
	'key-prefix': warning('Google reads "{key}" as "{meant}"'),
	'licence-not-absolute': warning('the address of a License must be absolute, with https://: "{value}" is not read'),
	'lint-group-frees': warning(
		'{names} may fetch {patterns}, which line {first} withholds from others: a group replaces the one for "*"',
	),
	'lint-group-drops-signal': warning(
		'"{signals}" of line {first} does not reach {names}: a group replaces the one for "*"',
	),
	'lint-names-beside-star': info('"*" beside {names} makes this group speak to every agent{follows}'),
	'line-too-long': warning('is longer than {limit} bytes; Google ignores the rest'),
	'long-crawl-delay': warning('asks for {seconds} seconds between two requests: most crawlers ignore such a delay'),
	'lost-line-break': warning('a line break is missing before "{lost}", so it is part of this line and is ignored'),
	'missing-colon': warning('no colon after "{key}"; some parsers skip this line'),
	'misspelt-key': warning('only some parsers read "{key}" as "{meant}"'),
	'no-agent': warning('"{name}" names no agent, so the rules below apply to none: {advice}'),
	'not-a-record': warning('neither a record nor a comment'),
	'nul-byte': warning('a NUL byte ends the line'),
	'partial-byte-order-mark': warning('begins with part of a byte order mark'),
	'pattern-without-slash': warning('"{pattern}" begins with neither "/" nor "*" and matches nothing'),
	'record-outside-group': warning('"{key}" comes before the first User-agent line and applies to no agent'),
	'robots-omitted': info('{count} more problems are not listed'),
	'robots2-directive': warning('"{key}" is a directive of robots2.txt: readers of robots.txt skip it'),
	'rule-outside-group': warning('comes before the first User-agent line and is ignored'),
	'rule-repeated': info('line {first} has the same rule'),
	'site-closed': info('"{pattern}" closes the whole site to all agents without a group of their own'),
	'sitemap-list': warning('several addresses in one line: most readers take them for one'),
	'sitemap-not-absolute': warning('"{value}" is not an absolute URL'),
	'star-in-agent': info('"*" is not a wildcard inside a name; it is read as "{token}"'),
	'text-after-star': warning('"{name}": some readers take it for "*", others for no agent. Write "*" alone'),
	truncated: warning('is longer than {limit} bytes; the rest was ignored'),
	'whole-site-overruled': warning(
		'"{winner}" in line {at} is longer and decides about every page: this {loser} has no effect',
	),
	'unknown-key': info('no known parser supports "{key}"'),
	'unsupported-directive': warning('no large search engine acts on "{key}" in robots.txt: use {instead}'),
	'utf-16': error('is UTF-16, in which most parsers find no rule; save it as UTF-8'),
	'white-space-in-path': warning('white space in "{pattern}": many readers match nothing with it. {advice}'),
} satisfies ProblemTable;
