import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
	type AgentsFile,
	agentsOf,
	catalogueText,
	checkAgents,
	missingNames,
	namesOfList,
	readAgentsFile,
} from '../../scripts/agents.ts';
import { knownAgents } from './index.ts';

describe('agents.json, from which the catalogue is made', () => {
	const file = readAgentsFile();

	it('holds what the catalogue holds, and nothing is wrong in it', () => {
		expect(checkAgents(file)).toEqual([]);
		expect(knownAgents).toEqual(agentsOf(file));
		expect(readFileSync(new URL('./catalogue.ts', import.meta.url), 'utf8')).toBe(catalogueText(file));
	});

	it('finds every kind of mistake', () => {
		const wrong = (row: object): string[] => {
			const broken = { ...file, operators: [{ source: 'https://a.test/', agents: [row] }] } as unknown as AgentsFile;
			return checkAgents(broken);
		};
		expect(wrong({ token: 'Fine' })).toEqual([]);
		for (const row of [
			{ token: 'no token' },
			{ token: 'Chrome' },
			{ token: 'Two', name: 'Other Words' },
			{ token: 'Bad', category: 'unheard-of' },
			{ token: 'Bad', source: 'http://a.test/' },
			{ token: 'Bad', ranges: 'ftp://a.test/' },
			{ token: 'Bad', reverseDns: ['a.test'] },
			{ token: 'Bad', source: 'list', ranges: 'https://a.test/ranges.json' },
			{ token: 'Bad', signalOnly: true, reverseDns: ['.a.test'] },
		]) {
			expect(wrong(row), JSON.stringify(row)).not.toEqual([]);
		}
		expect(
			checkAgents({ ...file, operators: [{ source: 'https://a.test/', agents: [{ token: 'X1' }, { token: 'x1' }] }] }),
		).toEqual(['x1: x1 is there twice']);
	});

	it('tells which names of a public list are missing, whatever form the list has', () => {
		const robots =
			'User-agent: GPTBot\nUser-agent: Unheard-Bot\nUser-agent: iaskspider/2.0\nUser-agent: *\nDisallow: /\n';
		expect(missingNames(file, namesOfList(robots))).toEqual(['Unheard-Bot']);
		expect(missingNames(file, namesOfList('{"Brightbot 1.0": {}, "Kangaroo Bot": {}, "Two Words": {}}'))).toEqual([
			'Two Words',
		]);
	});
});
