import type { Problem } from '../problem.ts';
import { asciiLower, productName } from './agents.ts';
import { type ParseRobotsOptions, parseRobots } from './parse.ts';
import type { RobotsCode } from './problems.ts';
import { createReport, type Report } from './report.ts';
import type { RobotsFile, RobotsGroup, RobotsRule } from './types.ts';

/**
 * Everything odd about a robots.txt file, in file order: what {@link parseRobots} reports, and what only shows when
 * lines are compared: groups that repeat an agent, rules that repeat or contradict each other, values cut by a `#`.
 */
export function checkRobots(input: string | Uint8Array, options: ParseRobotsOptions = {}): Problem<RobotsCode>[] {
	const { value: file, problems } = parseRobots(input, options);
	const report = createReport(problems);
	checkAgents(file, report);
	for (const group of file.groups) checkRules(group, report);
	for (const { value, line, column } of file.sitemaps) {
		if (!/^https?:\/\/[^/]/i.test(value)) report.add('sitemap-not-absolute', line, column, { value });
	}
	return report.close().sort((a, b) => a.line - b.line || a.column - b.column);
}

function checkAgents(file: RobotsFile, report: Report): void {
	const firsts = new Map<string, { readonly group: RobotsGroup; readonly line: number }>();
	for (const group of file.groups) {
		for (const { name, line, column } of group.agents) {
			const key = asciiLower(productName(name) || name);
			const first = firsts.get(key);
			if (first === undefined) firsts.set(key, { group, line });
			else if (name !== '') {
				const code = first.group === group ? 'agent-repeated' : 'group-repeated';
				report.add(code, line, column, { name, first: first.line });
			}
		}
	}
}

function checkRules(group: RobotsGroup, report: Report): void {
	const seen = new Map<string, RobotsRule>();
	for (const rule of group.rules) {
		checkPattern(rule, report);
		const first = seen.get(rule.pattern);
		if (first === undefined) seen.set(rule.pattern, rule);
		else if (rule.pattern !== '') {
			const code = first.allow === rule.allow ? 'rule-repeated' : 'allow-and-disallow';
			report.add(code, rule.line, rule.column, { first: first.line });
		}
	}
}

function checkPattern(rule: RobotsRule, report: Report): void {
	const { pattern, text, line, column } = rule;
	const dollar = pattern.search(/\$./s);
	if (dollar >= 0) report.add('dollar-inside-pattern', line, column + dollar);
	const percent = pattern.search(/%(?![\da-f]{2})/i);
	if (percent >= 0) report.add('invalid-percent', line, column + percent);
	const hash = text.indexOf('#', column - 1);
	if (hash > 0 && pattern !== '' && !/\s/.test(text[hash - 1]!)) report.add('hash-in-value', line, hash + 1);
}
