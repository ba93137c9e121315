/** One broken behaviour: a file, the text to replace, and the replacement. */
export interface Mutant {
	readonly file: string;
	readonly from: string;
	readonly to: string;
}

const of = (file: string, ...pairs: readonly (readonly [from: string, to: string])[]): Mutant[] =>
	pairs.map(([from, to]) => ({ file, from, to }));

/** Behaviours that tests must notice when broken, one at a time. `mutants.long.test.ts` runs them. */
export const mutants: readonly Mutant[] = [
	...of(
		'policy/combine.ts',
		["(['deny', 'ask', 'allow'] as const)", "(['allow', 'ask', 'deny'] as const)"],
		['barred ? gates : all', 'all'],
		['.slice(0, verdictLimits.lines);', ';'],
		['strictness[a.effect] - strictness[b.effect]', 'strictness[b.effect] - strictness[a.effect]'],
		['if (!places.has(place)) places.set(place, statement);', 'places.set(place + places.size, statement);'],
		['if (a.mechanism === b.mechanism && a.source === b.source) return false;', ''],
		['permitted.length >= forbidden.length', 'permitted.length < forbidden.length'],
		["strongest === 'allow' : silence === undefined", "strongest === 'allow' : true"],
	),
	...of(
		'policy/fold.ts',
		['if (items.length < 2) return [...items];', 'return [...items];'],
		['else group.repeated++;', ''],
		['return text.length <= verdictLimits.text', 'return true'],
	),
	...of(
		'policy/vocabularies/content-signal.ts',
		["immediate: ['store', ", 'immediate: ['],
		["reference: ['summarise', ", 'reference: ['],
		['useLevels.indexOf(level) < useLevels.indexOf(before)', 'true'],
		["value[name] ??= 'allow'", "value[name] = 'allow'"],
		["isIndexer(agent) ? 'search' : undefined", 'undefined'],
		["(use === 'quote' && onlyIndexes(agent))", 'false'],
		["signals.filter(({ effect }) => effect !== 'allow')", 'signals'],
		['return [...counted(signals, use), ...ofLevels(levels, use)];', 'return [...counted(signals, use)];'],
	),
	...of(
		'policy/vocabularies/content-usage.ts',
		['outside ? onlyDenied(preferences) : preferences', 'preferences'],
		['denying.length > 0 ? denying : longest(matching)', 'longest(matching)'],
		['Math.max(most, pattern.length)', 'most'],
		["return 'train-ai';", 'return undefined;'],
		["isIndexer(agent) ? 'search' : undefined", 'undefined'],
	),
	...of(
		'policy/vocabularies/robots-tags.ts',
		["const values = headerValues(headers, 'robots-tag');", 'const values: string[] = [];'],
		["item.value !== '*' && !isNamed(item.value, names)", 'false'],
		['return value === true ? [rule] : [];', 'return [rule];'],
		['members.slice(0, -1)', 'members'],
	),
	...of(
		'policy/vocabularies/tdmrep.ts',
		['if (!first.has(rule.location)) first.set', 'first.set'],
		["said.reservation === 1 ? 'deny' : 'silent'", "'silent'"],
	),
	...of(
		'robots/parse.ts',
		["report.add('utf-16', 1, 1)", 'void 0'],
		["intended.key === 'disallow' || intended.key === 'crawl-delay'", 'false'],
		["if (keyStart < valueEnd) this.#problem('not-a-record', keyStart);", ''],
		['this.#endOfList = record', 'void record'],
	),
	...of(
		'robots/match.ts',
		['if (reading.robotsTxtAllowed && path', 'if (false && path'],
		['if (record.agents !== last) isForThem', 'isForThem'],
		['!a.allowed || b.allowed ? a : b', 'a'],
	),
	...of('robots/directory.ts', ['(initialOf(key, 1) | 1) &', '1 &'], ['keeper.#initials |= missing;', '']),
	...of('robots/keys.ts', ['crawl-delay=crawldelay=crawl_delay=crawl delay', 'crawl-delay']),
	...of('robots/octets.ts', ['if (utf16 && typeof input', 'if (false && typeof input']),
	...of(
		'robots/try-rules.ts',
		['if (invisible && !rule.allow && findInvisible(rule.pattern) >= 0)', 'if (false)'],
		['keptEscape.test(pattern.slice(end, end + 3))', 'true'],
		["if (pattern[head] !== '*') return true;", "if (pattern[head] !== '*') return head === pattern.length;"],
	),
	...of(
		'robots/rule-index.ts',
		['a.length - b.length ||', 'b.length - a.length ||'],
		['+a.rule.allow - +b.rule.allow', '+b.rule.allow - +a.rule.allow'],
	),
	...of(
		'robots/check.ts',
		['else if (/\\s/.test(pattern))', 'else if (false)'],
		[
			"if (lost !== undefined) report.add('lost-line-break', line, column, { lost });\n\telse if (/\\s/",
			'if (false) void 0;\n\telse if (/\\s/',
		],
		['seconds >= longDelay', 'false'],
		["name === 'license' &&", 'false &&'],
		["if (use !== undefined) report.add('unsupported-directive'", "if (false) report.add('unsupported-directive'"],
		['if (!matchRobots(file, agent, folder).allowed)', 'if (false)'],
	),
	...of(
		'robots/named-groups.ts',
		['if (group.rules.length === 0) checkPaths(', 'if (false) checkPaths('],
		['checkSignals(file, group, denied, report);', ''],
		['if (others.length === 0) return true;', 'return true;'],
	),
	...of(
		'robots/agent-problem.ts',
		["return ['agent-version', { name, token }];", "return ['agent-cut', { name, token }];"],
		['{ token: product }];\n\tif (browserWords.test(token))', '{ token: product }];\n\tif (false)'],
		["if (token === '') {", 'if (false) {'],
	),
	...of(
		'robots2/effective.ts',
		['policy[name] ??= setting', 'policy[name] = setting'],
		['directive(name).silentIsNo ? 0.5', 'false ? 0.5'],
	),
	...of(
		'robots2/format.ts',
		['chain === undefined ? [] : [line', 'true ? [] : [line'],
		["(name === 'rate' && canonical === '0')", 'false'],
	),
	...of('robots2/lines.ts', ['if (bytes !== undefined && utf16 !== undefined)', 'if (false)']),
	...of(
		'jafar/own-forms.ts',
		['found.prefixes.length > found.unread ? found', 'true ? found'],
		["ranges.some(([, range]) => range.includes('/'))", 'false'],
	),
	...of('som/format.ts', ['...(compressionRatio !== undefined && { compressionRatio }),', '']),
];
