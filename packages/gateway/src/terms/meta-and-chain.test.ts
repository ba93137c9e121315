import { parseRobots2 } from '@wayleave/protocols/robots2';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../config/load.ts';
import { termsOf } from './terms.ts';

const write = (...lines: string[]) =>
	termsOf(parseConfig(['origin: https://a.test', ...lines].join('\n'))).robots2 ?? '';

describe('P2-150 P2-151 chain and meta in the policy file', () => {
	it('are written, and read back with the same meaning', () => {
		const text = write(
			'chain: https://terms.example.org/robots2.txt',
			'categories: { data-harvester: { store: no } }',
			'meta: { contact: "mailto:office@a.test", last-update: 2026-04-09, update-frequency: weekly, chain-id: a-1 }',
		);
		const { value, problems } = parseRobots2(text);
		expect(problems).toEqual([]);
		expect(value.chain?.value).toBe('https://terms.example.org/robots2.txt');
		expect(text.trimEnd().split('\n').at(-1)).toBe('chain: https://terms.example.org/robots2.txt');
		expect(Object.fromEntries(value.meta)).toEqual({
			'spec-version': '2.0',
			contact: 'mailto:office@a.test',
			'last-update': '2026-04-09 00:00 UTC',
			'update-frequency': 'weekly',
			'chain-id': 'a-1',
		});
	});

	it.each([
		['chain: http://terms.example.org/robots2.txt', /chain: an https URL/],
		['meta: { spec-version: 9 }', /spec-version is written by wayleave/],
		['meta: { update-frequency: hourly }', /one of live, daily/],
		['meta: { last-update: soon }', /a date: 2026-04-09/],
		['meta: { contact: "a # b" }', /one line of text without #/],
	])('%s is refused with its reason', (written, message) => {
		expect(() => write(written)).toThrow(message);
	});
});
