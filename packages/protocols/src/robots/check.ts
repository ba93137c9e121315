import type { Problem } from '../problem.ts';
import { asciiLower, productName } from './agents.ts';
import { isKnownRecord } from './keys.ts';
import { createLintReport } from './lint-report.ts';
import { lostRecord } from './lost-lines.ts';
import { matchRobots } from './match.ts';
import { checkNamedGroups } from './named-groups.ts';
import { type ParseRobotsOptions, parseRobots } from './parse.ts';
import type { RobotsCode } from './problems.ts';
import type { Report } from './report.ts';
import type { RobotsFile, RobotsGroup, RobotsRecord, RobotsRule } from './types.ts';

/**
 * Everything odd about a robots.txt file, in file order: what {@link parseRobots} reports, and what only shows when
 * lines are compared: groups that repeat an agent, rules that repeat or contradict each other, lines that nothing acts
 * on, values cut by a `#`.
 */
export function checkRobots(input: string | Uint8Array, options: ParseRobotsOptions = {}): Problem<RobotsCode>[] {
	const { value: file, problems } = parseRobots(input, options);
	// A suggestion is more useful than "unknown key".
	const report = createLintReport(
		problems.filter(({ code, args }) => code !== 'unknown-key' || !isReplaced(String(args.key))),
	);
	checkAgents(file, report);
	checkNamedGroups(file, report);
	for (const group of file.groups) checkRules(file, group, report);
	for (const record of file.records) checkRecord(record, report);
	for (const sitemap of file.sitemaps) checkSitemap(sitemap, report);
	return report.close().sort((a, b) => a.line - b.line || a.column - b.column);
}

function checkAgents(file: RobotsFile, report: Report): void {
	const firsts = new Map<string, { readonly group: RobotsGroup; readonly line: number; readonly name: string }>();
	for (const group of file.groups) {
		for (const { name, line, column } of group.agents) {
			const key = asciiLower(productName(name) || name);
			const first = firsts.get(key);
			if (first === undefined) firsts.set(key, { group, line, name });
			else if (name !== '') {
				// Two groups with the same rules are harmless to a parser that takes only one.
				const isHarmless = first.group === group || saysSame(first.group, group);
				// Names of several words that begin alike, and whole headers, have a finding of their own.
				if (isHarmless && (name.includes('(') || withoutVersion(name) !== withoutVersion(first.name))) continue;
				report.add(isHarmless ? 'agent-repeated' : 'group-repeated', line, column, { name, first: first.line });
			}
		}
	}
}

const withoutVersion = (name: string): string => asciiLower(name).replace(/\/.*/, '');

/** Compares only the first few rules: longer identical groups are rarely intended. */
const comparedRules = 20;

function saysSame(a: RobotsGroup, b: RobotsGroup): boolean {
	if (a.rules.length !== b.rules.length || a.rules.length > comparedRules) return false;
	return a.rules.every(({ allow, pattern }, at) => allow === b.rules[at]?.allow && pattern === b.rules[at]?.pattern);
}

function checkRules(file: RobotsFile, group: RobotsGroup, report: Report): void {
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
	checkWholeSite(group, report);
	const [agent] = group.agents;
	if (agent === undefined) return;
	for (const rule of group.rules) checkIndexPage(file, agent.name, rule, report);
	// `Disallow: /` is intended; a lone star closes as much, but looks like less.
	const closing = group.rules.find(({ allow, pattern }) => !allow && /^\/?\*+$/.test(pattern));
	const forAll = group.agents.some(({ name }) => name === '*');
	if (forAll && closing !== undefined && !matchRobots(file, '*', '/').allowed)
		report.add('site-closed', closing.line, closing.column, { pattern: closing.pattern });
}

/** `Allow: /*` opens what `Disallow: /` closes, since the longer rule decides; and the other way about. */
function checkWholeSite({ rules }: RobotsGroup, report: Report): void {
	const whole = rules.filter(({ pattern }) => /^(?:\/|\/?\*+)$/.test(pattern));
	const longest = whole.reduce<RobotsRule | undefined>(
		(best, rule) => (best === undefined || rule.pattern.length > best.pattern.length ? rule : best),
		undefined,
	);
	for (const { allow, pattern, line, column } of whole) {
		// Equal patterns have their own finding.
		if (longest === undefined || allow === longest.allow || pattern.length === longest.pattern.length) continue;
		const words = allow ? ['Disallow', 'Allow'] : ['Allow', 'Disallow'];
		const args = { winner: `${words[0]}: ${longest.pattern}`, loser: words[1] ?? '', at: longest.line };
		report.add('whole-site-overruled', line, column, args);
	}
}

function checkPattern(rule: RobotsRule, report: Report): void {
	const { allow, pattern, text, line, column } = rule;
	const lost = lostRecord(pattern);
	if (lost !== undefined) report.add('lost-line-break', line, column, { lost });
	else if (/\s/.test(pattern))
		report.add('white-space-in-path', line, column, {
			pattern: pattern.slice(0, 80),
			advice: /\s[/*]/.test(pattern) ? 'Give each path its own line' : 'Write %20 for a blank',
		});
	const dollar = pattern.search(/\$./s);
	if (dollar >= 0) report.add('dollar-inside-pattern', line, column + dollar);
	const percent = pattern.search(/%(?![\da-f]{2})/i);
	if (percent >= 0) report.add('invalid-percent', line, column + percent);
	const hash = text.indexOf('#', column - 1);
	if (hash > 0 && pattern !== '' && !/\s/.test(text[hash - 1] ?? '')) report.add('hash-in-value', line, hash + 1);
	if (!allow && pattern === '' && /^#\s?\/\S*\s*$/.test(text.slice(hash)) && hash > 0)
		report.add('disallow-commented-out', line, hash + 1);
}

/** Google and its ports read an allowed `/x/index.html` as `/x/` as well, which the site may have disallowed. */
function checkIndexPage(file: RobotsFile, agent: string, rule: RobotsRule, report: Report): void {
	const slash = rule.pattern.lastIndexOf('/');
	if (!rule.allow || !rule.pattern.startsWith('/index.htm', slash) || rule.pattern.includes('*')) return;
	const folder = rule.pattern.slice(0, slash + 1);
	if (!matchRobots(file, agent, folder).allowed)
		report.add('index-page-opens-folder', rule.line, rule.column, { folder });
}

/** Replacements for rules that no search engine has read since 2019. */
const instead: Readonly<Record<string, string>> = {
	noindex: 'X-Robots-Tag: noindex, or a meta tag, on pages that may be fetched',
	nofollow: 'X-Robots-Tag: nofollow, or a meta tag',
	noarchive: 'X-Robots-Tag: noarchive, or a meta tag',
	nosnippet: 'X-Robots-Tag: nosnippet, or a meta tag',
	'request-rate': 'Crawl-delay',
	'visit-time': 'rate limits',
};

const isReplaced = (key: string): boolean => Object.hasOwn(instead, key.toLowerCase());

/** More seconds than most crawlers wait. */
const longDelay = 3600;

function checkRecord({ key, value, seconds, line, column }: RobotsRecord, report: Report): void {
	const name = key.toLowerCase();
	const use = instead[name];
	if (use !== undefined) report.add('unsupported-directive', line, 1, { key, instead: use });
	if (seconds !== undefined && seconds >= longDelay) report.add('long-crawl-delay', line, column, { seconds });
	if (name === 'license' && !/^https?:\/\/[^/]/i.test(value))
		report.add('licence-not-absolute', line, column, { value: value.slice(0, 80) });
	const lost = seconds !== undefined || isKnownRecord(key) ? lostRecord(value) : undefined;
	if (lost !== undefined) report.add('lost-line-break', line, column, { lost });
}

function checkSitemap({ value, line, column }: RobotsRecord, report: Report): void {
	const lost = lostRecord(value);
	if (lost !== undefined) report.add('lost-line-break', line, column, { lost });
	else if (/[\s,]https?:\/\//i.test(value)) report.add('sitemap-list', line, column);
	else if (!/^https?:\/\/[^/]/i.test(value)) report.add('sitemap-not-absolute', line, column, { value });
}
