import type { Evidence } from '../evidence.ts';
import { type PreparedRobots, prepareRobots, type RobotsFile, type RobotsVerdict } from '../robots/index.ts';
import { sameOrigin } from '../robots2/index.ts';
import { namesOfAgent } from './agent-names.ts';
import type { Agent, HostPolicies, MissingFile, Statement } from './types.ts';

/** A file with `User-agent` groups, and what of it is in force for one agent. */
export interface PathFile {
	readonly source: string;
	readonly mechanism: 'robots' | 'robots2';
	readonly file: RobotsFile;
	readonly rules: PreparedRobots;
}

/**
 * The robots.txt, and the robots2.txt files of the same origin: paths of another origin say nothing about this one
 *. The shared token stands in for all, and a group that names the implementation must permit too.
 */
export function preparePathFiles({ robots, robots2 }: HostPolicies, agent: Agent): PathFile[] {
	const names = namesOfAgent(agent);
	const prepare = (mechanism: PathFile['mechanism'], source: string, file: RobotsFile) => ({
		source,
		mechanism,
		file,
		rules: prepareRobots(file, names),
	});
	const files = robots2 && !isMissing(robots2) ? robots2.files : [];
	const [first] = files;
	return [
		...(robots && !isMissing(robots) ? [prepare('robots', robots.source, robots.file)] : []),
		...files
			.filter(({ source }) => first !== undefined && sameOrigin(source, first.source))
			.map(({ source, file }) => prepare('robots2', source, file.paths)),
	];
}

export function isMissing(file: object): file is MissingFile {
	return 'state' in file;
}

/**
 * The statement of a file's path rules about a URL. A robots.txt without a rule for it allows it (RFC 9309 §2.2.2);
 * a robots2.txt, which only adds, then says nothing.
 */
export function statementsFromPaths({ source, mechanism, rules }: PathFile, url: string): Statement[] {
	const { allowed, rule } = rules.match(url);
	if (!rule && mechanism === 'robots2') return [];
	const requirement = mechanism === 'robots2' ? 'R2-08' : rule ? 'REP-08' : 'REP-10';
	const evidence = { ...ruleEvidence(source, mechanism, rule), requirement };
	return [{ effect: allowed ? 'allow' : 'deny', evidence, access: { pattern: rule?.pattern } }];
}

/** A rule as evidence; `line` 0 where no rule speaks. */
export function ruleEvidence(source: string, mechanism: PathFile['mechanism'], rule: RobotsVerdict['rule']): Evidence {
	if (!rule) return { source, line: 0, text: 'no rule matches this URL', mechanism };
	return { source, line: rule.line, column: rule.column, text: rule.text.trim(), mechanism };
}

/** The longest `Crawl-delay` in force, and its line. */
export function maxCrawlDelay(
	files: readonly PathFile[],
): { crawlDelay: number; crawlDelayLine: Evidence } | undefined {
	const delays = files.flatMap(({ source, mechanism, rules: { crawlDelay, records } }) => {
		const record = records.find(({ seconds }) => seconds === crawlDelay);
		if (crawlDelay === undefined || !record) return [];
		const { line, column, text } = record;
		return [{ crawlDelay, crawlDelayLine: { source, line, column, text: text.trim(), mechanism } }];
	});
	return delays.sort((a, b) => b.crawlDelay - a.crawlDelay)[0];
}
