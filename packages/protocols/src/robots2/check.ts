import { isOneSlip } from '../internal/one-slip.ts';
import type { Problem } from '../problem.ts';
import { matchRobots, type RobotsCode, type RobotsFile, type RobotsVerdict } from '../robots/index.ts';
import { directiveNames } from './directives.ts';
import { capped, namesOf, type ParseRobots2Options, parseRobots2 } from './parse.ts';
import type { Robots2Problem, Robots2ProblemCode } from './problems.ts';
import { robots2Problem } from './report.ts';
import type { Robots2Entry, Robots2File, Robots2Section } from './types.ts';

/** Facts about the site of the file. */
export interface CheckRobots2Options extends ParseRobots2Options {
	/** Whether /.well-known/robots2-ask responds; leave it out if that was not checked. */
	readonly askEndpoint?: boolean;
	/** The robots.txt of the same site. */
	readonly robots?: RobotsFile;
}

/** All that is odd about a robots2.txt, in the order of its lines: what the parser saw, and what it looks like as a whole. */
export function checkRobots2(
	input: string | Uint8Array,
	{ askEndpoint, robots, ...options }: CheckRobots2Options = {},
): Problem<Robots2ProblemCode | RobotsCode>[] {
	const { value: file, problems } = parseRobots2(input, options);
	const all = [
		...problems.map(suggestDirective),
		...file.sections.flatMap((section) => checkPlaces(file, section)),
		...(askEndpoint === true ? [] : checkAsk(file, askEndpoint === false)),
		...checkMarket(file),
		...(robots ? compareWithRobots(file, robots) : []),
	];
	return capped(all.sort((a, b) => a.line - b.line || a.column - b.column));
}

/** `train` for `trian`: an unknown directive that is one slip away from a known one. */
function suggestDirective<Code extends string>(problem: Problem<Code>): Problem<Code | Robots2ProblemCode> {
	if (problem.code !== 'robots2-unknown-directive') return problem;
	const name = String(problem.args.name).toLowerCase();
	const intended = directiveNames.find((known) => isOneSlip(name, known));
	return intended ? robots2Problem('robots2-misspelt-directive', problem, { name, meant: intended }) : problem;
}

/**
 * Directives that were probably meant for everybody: those after an empty line in a section, and those that make no
 * sense for one category. All that follows a header belongs to it.
 */
function checkPlaces(file: Robots2File, section: Robots2Section): Robots2Problem[] {
	const { entries } = section;
	const category = namesOf(section);
	return entries.flatMap((entry, index) => {
		const before = entries[index - 1];
		const apart = before && file.lines.slice(before.line, entry.line - 1).some((line) => line.trim() === '');
		if (!apart && entry.name !== 'market' && entry.name !== 'honest') return [];
		const args = { name: entry.name, category };
		return [robots2Problem('robots2-directive-after-section', entry, args)];
	});
}

/** `ask` means no if the endpoint does not respond; while that is unknown, a reminder. */
function checkAsk(file: Robots2File, missing: boolean): Robots2Problem[] {
	return everyEntry(file)
		.filter(({ value }) => value === 'ask')
		.map((entry) =>
			robots2Problem('robots2-ask-without-endpoint', entry, { name: entry.name }, missing ? 'error' : 'info'),
		);
}

function checkMarket(file: Robots2File): Robots2Problem[] {
	const entries = everyEntry(file);
	const bar = entries.find(({ name, value }) => name === 'compete' && value === 'no');
	if (!bar || entries.some(({ name }) => name === 'market')) return [];
	return [robots2Problem('robots2-compete-without-market', bar)];
}

function everyEntry(file: Robots2File): Robots2Entry[] {
	return [...file.global, ...file.sections.flatMap(({ entries }) => entries)];
}

/** Of one group; some files list thousands, with the same rules. */
const comparedAgents = 50;

/** Each rule of robots2.txt, tried on both files with a path that it was written for. */
function compareWithRobots(file: Robots2File, robots: RobotsFile): Robots2Problem[] {
	return file.paths.groups.flatMap(({ agents, rules }) =>
		rules.flatMap((rule) => {
			const path = rule.pattern.replace(/\$$/, '').replaceAll('*', 'x');
			if (!path.startsWith('/')) return [];
			return agents.slice(0, comparedAgents).flatMap(({ name: agent }) => {
				const ours = matchRobots(file.paths, agent, path);
				const theirs = matchRobots(robots, agent, path);
				// A path that no rule of robots.txt speaks about is not contradicted: robots2.txt adds to it.
				if (!theirs.rule || ours.rule !== rule || ours.allowed === theirs.allowed) return [];
				const says = ({ allowed }: RobotsVerdict) => (allowed ? 'allows' : 'disallows');
				const args = { robots: says(theirs), robots2: says(ours), path, agent };
				return [robots2Problem('robots2-contradicts-robots', rule, args)];
			});
		}),
	);
}
