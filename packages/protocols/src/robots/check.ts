import type { Problem } from '../problem.ts';
import { productName } from './agents.ts';
import { type ParseRobotsOptions, parseRobots } from './parse.ts';
import type { RobotsCode } from './problems.ts';
import { createReport, type Report } from './report.ts';
import type { RobotsFile, RobotsGroup, RobotsLine, RobotsRule } from './types.ts';

/**
 * Everything odd about a robots.txt file, in file order: what {@link parseRobots} reports, and what only shows when
 * lines are compared: groups that repeat an agent, rules that repeat or contradict each other, values cut by a `#`.
 */
export function checkRobots(input: string | Uint8Array, options: ParseRobotsOptions = {}): Problem<RobotsCode>[] {
	const { value: file, problems } = parseRobots(input, options);
	const report = createReport();
	if (looksLikeHtml(input)) report.add('html-instead-of-robots', 1, 1);
	checkAgents(file, report);
	for (const group of file.groups) checkRules(group, report);
	for (const sitemap of file.sitemaps) {
		if (!/^https?:\/\/[^/]/i.test(sitemap.value))
			addAt('sitemap-not-absolute', sitemap, report, { value: sitemap.value });
	}
	return [...problems, ...report.problems].sort((a, b) => a.line - b.line || a.column - b.column);
}

const addAt = (code: RobotsCode, at: RobotsLine, report: Report, args: Problem['args'] = {}): void =>
	report.add(code, at.line, at.column, args);

function looksLikeHtml(input: string | Uint8Array): boolean {
	const head = typeof input === 'string' ? input.slice(0, 1024) : String.fromCharCode(...input.subarray(0, 1024));
	return /^[^\w#]{0,8}<(?:!doctype|html|head|body|script|\?xml|!--)/i.test(head.trimStart());
}

function checkAgents(file: RobotsFile, report: Report): void {
	const firstLines = new Map<string, number>();
	for (const group of file.groups) {
		const seen = new Map<string, number>();
		for (const agent of group.agents) {
			if (agent.name === '') continue;
			const key = (productName(agent.name) || agent.name).toLowerCase();
			const here = seen.get(key);
			const before = firstLines.get(key);
			if (here !== undefined) addAt('agent-repeated', agent, report, { name: agent.name, first: here });
			else if (before !== undefined) addAt('group-repeated', agent, report, { name: agent.name, first: before });
			seen.set(key, here ?? agent.line);
			if (before === undefined) firstLines.set(key, agent.line);
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
			addAt(code, rule, report, { first: first.line });
		}
	}
}

function checkPattern(rule: RobotsRule, report: Report): void {
	const { pattern, text, line, column } = rule;
	const dollar = pattern.indexOf('$');
	if (dollar >= 0 && dollar < pattern.length - 1) report.add('dollar-inside-pattern', line, column + dollar);
	const percent = pattern.search(/%(?![\da-f]{2})/i);
	if (percent >= 0) report.add('invalid-percent', line, column + percent);
	const hash = text.indexOf('#', column - 1);
	if (hash > 0 && pattern !== '' && !/\s/.test(text[hash - 1]!)) report.add('hash-in-value', line, hash + 1);
}
