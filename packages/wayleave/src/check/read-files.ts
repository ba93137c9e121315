import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { HostPolicies } from '@wayleave/protocols/policy';
import { parseRobots } from '@wayleave/protocols/robots';
import { parseRobots2 } from '@wayleave/protocols/robots2';
import { UsageError } from '../command.ts';
import { whyUnreadable } from '../options/why-unreadable.ts';
import { countRobots2Problems, countRobotsProblems, type ReadNote, type SiteTerms } from './read-site.ts';

/** The policy files that somebody has on disk; one that is not given is taken as not there. */
export interface PolicyFileNames {
	readonly robots?: string;
	readonly robots2?: string;
}

/** Reads policy files from disk: no network, so a chain is not followed. @throws UsageError when one cannot be read */
export function readFiles({ robots, robots2 }: PolicyFileNames, cwd: string): SiteTerms {
	const read: ReadNote[] = [];
	const policies: { -readonly [Name in keyof HostPolicies]: HostPolicies[Name] } = {};
	if (robots !== undefined) {
		const text = readPolicy(robots, cwd);
		policies.robots = { source: robots, file: parseRobots(text).value };
		read.push({ source: robots, note: `${text.length} bytes`, problems: countRobotsProblems(text) });
	}
	if (robots2 !== undefined) {
		const text = readPolicy(robots2, cwd);
		const { value: file } = parseRobots2(text);
		policies.robots2 = { files: [{ source: robots2, file }] };
		read.push({ source: robots2, note: `${text.length} bytes`, problems: countRobots2Problems(text) });
		if (file.chain) read.push({ source: file.chain.value, note: 'not followed: --robots2 works offline', problems: 0 });
	}
	return { policies, read };
}

function readPolicy(file: string, cwd: string): Uint8Array {
	try {
		return readFileSync(resolve(cwd, file));
	} catch (error) {
		throw new UsageError(`${file}: ${whyUnreadable(error)}`);
	}
}
