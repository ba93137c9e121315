import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRangeLines } from './index.ts';

describe('parseRangeLines', () => {
	it('reads ranges, bare addresses, names and comments', () => {
		const text =
			'\ufeff# ours\r\n192.0.2.0/24\r\n\n  2001:db8::/32 Search Bot # new\n198.51.100.7\n::ffff:198.51.100.8\n';
		const { value, problems } = parseRangeLines(text, 'Bot');
		expect(problems).toEqual([]);
		expect(value.map(({ range, services }) => [range.text, services])).toEqual([
			['192.0.2.0/24', ['Bot']],
			['2001:db8::/32', ['Search Bot']],
			['198.51.100.7/32', ['Bot']],
			['198.51.100.8/32', ['Bot']],
		]);
		expect(parseRangeLines('192.0.2.0/24').value[0]?.services).toEqual([]);
	});

	it('says where a line is wrong', () => {
		const { value, problems } = parseRangeLines('192.0.2.1/24\n  x\n::ffff:1.2.3.0/120\n');
		expect(value).toEqual([]);
		expect(problems).toMatchObject([
			{ code: 'ranges-host-bits', line: 1, column: 1, args: { meant: '192.0.2.0/24' } },
			{ code: 'ranges-malformed-prefix', line: 2, column: 3 },
			{ code: 'ranges-wrong-family', line: 3, column: 1 },
		]);
	});

	it('never throws', () => {
		fc.assert(fc.property(fc.string(), (text) => void parseRangeLines(text)));
		fc.assert(fc.property(fc.stringMatching(/^[0-9a-f:./ #\n]*$/), (text) => void parseRangeLines(text)));
	});
});
