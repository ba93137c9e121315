import { expect, it } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const now = Date.parse('2026-11-30T12:00:00Z');

it.each([
	['120', 120_000],
	[' 1.5 ', 1500],
	['-5', 0],
	['Mon, 30 Nov 2026 12:01:00 GMT', 60_000],
	['Monday, 30-Nov-26 12:01:00 GMT', 60_000],
	['Mon Nov 30 12:01:00 2026', 60_000],
	['Mon, 30 Nov 2026 11:00:00 GMT', 0],
	['2026-12-01', undefined],
	['soon', undefined],
	['', undefined],
	[undefined, undefined],
	['9'.repeat(30), undefined],
])('Retry-After: %s asks for a pause of %s ms', (value, pause) => {
	expect(readRetryAfter(value, now)).toBe(pause);
});
