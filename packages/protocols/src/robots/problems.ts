import type { Severity } from '../problem.ts';

/** What can be odd about a robots.txt file; a page for each in `docs/problems/`. */
export type RobotsCode = keyof typeof robotsProblems;

const row = (severity: Severity, sentence: string) => ({ severity, sentence });

/** Severity and sentence of each code; `{name}` stands for an argument. */
export const robotsProblems = {
	'missing-colon': row('warning', 'no colon after "{key}"; some readers skip this line'),
	'misspelt-key': row('warning', '"{key}" is read as "{meant}" by some readers only'),
	'key-prefix': row('warning', 'Google reads "{key}" as "{meant}"'),
	'unknown-key': row('info', 'no reader we know acts on "{key}"'),
	'not-a-record': row('warning', 'neither a record nor a comment'),
	'empty-agent': row('warning', 'names nobody; the rules below apply to no agent'),
	'agent-cut': row('warning', '"{name}" is cut to "{token}" by readers of product tokens'),
	'rule-outside-group': row('warning', 'stands before the first User-agent line and is ignored'),
	'record-outside-group': row('warning', '"{key}" stands before the first User-agent line and is ignored'),
	'bad-crawl-delay': row('warning', '"{value}" is not a number of seconds'),
	'line-too-long': row('warning', 'longer than {limit} bytes; Google ignores the rest'),
	'nul-byte': row('warning', 'a NUL byte ends the line for most readers'),
	truncated: row('warning', 'longer than {limit} bytes; the rest was not read'),
} satisfies Record<string, { severity: Severity; sentence: string }>;
