import { countRobots2Problems, countRobotsProblems, type ReadNote, type SiteTerms } from '@wayleave/crawler/check';
import type { HostPolicies } from '@wayleave/protocols/policy';
import { parseRobots } from '@wayleave/protocols/robots';
import { parseRobots2 } from '@wayleave/protocols/robots2';
import { readNamed } from '../../shared/options/read-named.ts';
import type { Terminal } from '../../terminal/command.ts';

/** Policy files on disk; a file that is not given counts as missing. */
export interface PolicyFileNames {
	readonly robots?: string;
	readonly robots2?: string;
}

/** Reads policy files from disk: no network, so a chain is not followed. @throws FileError */
export function readFiles({ robots, robots2 }: PolicyFileNames, terminal: Terminal): SiteTerms {
	const read: ReadNote[] = [];
	const policies: { -readonly [Name in keyof HostPolicies]: HostPolicies[Name] } = {};
	if (robots !== undefined) {
		const text = readNamed(robots, terminal);
		policies.robots = { source: robots, file: parseRobots(text).value };
		read.push({ source: robots, note: `${text.length} bytes`, problems: countRobotsProblems(text) });
	}
	if (robots2 !== undefined) {
		const text = readNamed(robots2, terminal);
		const { value: file } = parseRobots2(text);
		policies.robots2 = { files: [{ source: robots2, file }] };
		read.push({ source: robots2, note: `${text.length} bytes`, problems: countRobots2Problems(text) });
		if (file.chain)
			read.push({ source: file.chain.value, note: 'not followed, because --robots2 works offline', problems: 0 });
	}
	return { policies, read };
}
