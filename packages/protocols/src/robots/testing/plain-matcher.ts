import { asciiLower, isProductToken, leadingToken, productName, productOfUserAgent } from '../agents.ts';
import { normaliseEscapes, pathOfUrl, upperEscapes } from '../escapes.ts';
import { findInvisible, withoutInvisible } from '../invisible.ts';
import { type Reading, readings } from '../modes.ts';
import type { RobotsFile, RobotsGroup, RobotsRule } from '../types.ts';

/**
 * The slowest honest way to a verdict, to hold the fast one against: every rule of every group that applies is tried
 * by following all ways to read its stars at once, and the best is kept. Shares no matching code with the product.
 */
export function plainVerdict(file: RobotsFile, agent: string, url: string): { allowed: boolean; line: number } {
	const reading = readings[file.mode];
	let path = pathOfUrl(url);
	if (reading.robotsTxtAllowed && path === '/robots.txt') return { allowed: true, line: 0 };
	if (!reading.escapesAsWritten) path = normaliseEscapes(path);
	let best: { rule: RobotsRule; length: number } | undefined;
	for (const rule of groupsFor(file, agent).flatMap((group) => group.rules)) {
		const length = matchedLength(rule, path, file);
		if (length < 0) continue;
		if (best && (length < best.length || (length === best.length && (!rule.allow || best.rule.allow)))) continue;
		best = { rule, length };
	}
	return best ? { allowed: best.rule.allow || best.length === 0, line: best.rule.line } : { allowed: true, line: 0 };
}

function groupsFor({ groups, mode }: RobotsFile, agent: string): RobotsGroup[] {
	const reading = readings[mode];
	for (const key of [...wantedKeys(agent, reading), '*']) {
		const found = groups.filter((group) => group.agents.some(({ name }) => agentKeys(name, reading).includes(key)));
		if (found.length > 0) return found;
	}
	return [];
}

/** `*` when a line speaks to everybody, `=foobot` by its name, `~foobot` by its name cut to a token. */
function agentKeys(value: string, { agentLines, invisible }: Reading): string[] {
	if (invisible && findInvisible(value) >= 0 && withoutInvisible(value).trim() === '*') return ['*'];
	if (value === '*' || (agentLines !== 'exact' && /^\*[\t-\r ]/.test(value))) return ['*'];
	const name = asciiLower(value);
	const token = leadingToken(name);
	if (agentLines === 'cut') return [`=${token}`];
	if (agentLines === 'exact') return isProductToken(name) ? [`=${name}`] : [];
	return [`=${productName(name)}`, `~${token}`].filter((key) => key.length > 1);
}

/** The keys to look for, one after the other. */
function wantedKeys(agent: string, { agentLines }: Reading): [whole: string, cut: string] {
	const name = asciiLower(agentLines === 'cut' ? agent : productOfUserAgent(agent));
	return [`=${name}`, `~${name}`];
}

function matchedLength(rule: RobotsRule, path: string, { mode }: RobotsFile): number {
	const { escapesAsWritten, indexPages, invisible } = readings[mode];
	if (!escapesAsWritten) {
		const visible = withoutInvisible(rule.pattern);
		const isRead = invisible && !rule.allow && visible !== '';
		return Math.max(...[rule.pattern, ...(isRead ? [visible] : [])].map((pattern) => normalisedLength(pattern, path)));
	}
	const pattern = upperEscapes(rule.pattern);
	if (matches(pattern, path)) return pattern.length;
	const folder = indexPages && rule.allow ? /^(.*\/)index\.htm[^/]*$/s.exec(pattern)?.[1] : undefined;
	return folder !== undefined && matches(`${folder}$`, path) ? folder.length + 1 : -1;
}

function normalisedLength(written: string, path: string): number {
	const anchored = written.endsWith('$');
	const body = anchored ? written.slice(0, -1) : written;
	const pattern = body.split('*').map(normaliseEscapes).join('*') + (anchored ? '$' : '');
	return matches(pattern, path) ? pattern.length : -1;
}

function matches(pattern: string, path: string): boolean {
	let ways = new Set([0]);
	for (let at = 0; at < pattern.length; at++) {
		const code = pattern[at];
		if (code === '$' && at === pattern.length - 1) return ways.has(path.length);
		const next = new Set<number>();
		for (const way of ways) {
			if (code === '*') for (let to = way; to <= path.length; to++) next.add(to);
			else if (path[way] === code) next.add(way + 1);
		}
		ways = next;
	}
	return ways.size > 0;
}
