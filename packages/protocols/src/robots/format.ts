import type { RobotsFile, RobotsGroup, RobotsRecord } from './types.ts';

/**
 * Writes a file in one plain form: a record a line, groups apart by an empty line, keys as RFC 9309 spells them,
 * comments and unread lines left out. Read in the same mode it gives the same verdicts.
 */
export function formatRobots(file: RobotsFile): string {
	const loose = file.records.filter((record) => record.group === undefined);
	const sitemaps = file.sitemaps.map(({ value }) => field('Sitemap', value));
	const blocks = [loose.map(recordLine), ...file.groups.map(groupLines), sitemaps];
	const text = blocks
		.filter((block) => block.length > 0)
		.map((block) => `${block.join('\n')}\n`)
		.join('\n');
	// A key may begin with the byte EF; at the head of the file it would be taken for (part of) a byte order mark.
	return text.charCodeAt(0) >= 0xf000 ? `#\n${text}` : text;
}

const recordLine = ({ key, value }: RobotsRecord): string => field(key, value);
const field = (key: string, value: string): string => (value === '' ? `${key}:` : `${key}: ${value}`);

/** Records follow the list of agents that they speak to, so that they still speak to it and to no other. */
function groupLines({ agents, rules, records }: RobotsGroup): string[] {
	let next = 0;
	const lines: string[] = [];
	for (const agent of agents) {
		lines.push(field('User-agent', agent.name));
		for (let record = records[next]; record?.agents.at(-1) === agent; record = records[next]) {
			lines.push(recordLine(record));
			next++;
		}
	}
	for (const { allow, pattern } of rules) lines.push(field(allow ? 'Allow' : 'Disallow', pattern));
	return lines;
}
