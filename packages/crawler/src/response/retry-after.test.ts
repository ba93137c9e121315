import { describe, expect, it } from 'vitest';
import { isTime, retryAfter } from './retry-after.ts';

const now = Date.UTC(2026, 10, 28, 12, 0, 0);

describe('Retry-After', () => {
	it.each([
		['7', 7000],
		[' 120 ', 120_000],
		['0', 0],
		['-5', 0],
		['Sat, 28 Nov 2026 12:00:30 GMT', 30_000],
		['Saturday, 28-Nov-26 12:00:30 GMT', 30_000],
		['Sat Nov 28 12:00:30 2026', 30_000],
		['Fri, 27 Nov 2026 12:00:00 GMT', 0],
		['31536000', 31_536_000_000],
	])('%s', (header, milliseconds) => {
		expect(retryAfter(header, now)).toBe(milliseconds);
		expect(isTime(header)).toBe(true);
	});

	it.each([undefined, '', 'soon', '1e400', '2026-11-28', '1'.repeat(400), '9'.repeat(20), 'Sat, 99 Nov 2026'])(
		'CB-135 %s counts as absent',
		(header) => {
			expect(retryAfter(header, now)).toBe(60_000);
			expect(isTime(header ?? '')).toBe(false);
		},
	);
});
