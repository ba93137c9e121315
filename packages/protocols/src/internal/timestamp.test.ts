import { describe, expect, it } from 'vitest';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';

describe('timestamps, RFC 3339 §5.6', () => {
	it('reads what files hold', () => {
		const time = Date.UTC(2025, 7, 15, 14, 30);
		expect(parseTimestamp('2025-08-15T14:30:00Z')).toEqual({ time, zone: 'utc' });
		expect(parseTimestamp('2025-08-15T14:30:00+00:00')).toEqual({ time, zone: 'utc' });
		expect(parseTimestamp('2025-08-15T16:30:00+02:00')).toEqual({ time, zone: 'offset' });
		expect(parseTimestamp('2025-08-15T14:30:00.000000')).toEqual({ time, zone: 'none' });
		expect(parseTimestamp('2024-01-03T10:00:00.121331')).toEqual({
			time: Date.UTC(2024, 0, 3, 10, 0, 0, 121),
			zone: 'none',
		});
		expect(parseTimestamp('2016-12-31T23:59:60Z')?.time).toBe(Date.UTC(2017, 0, 1));
		expect(parseTimestamp('0024-02-29T00:00:00Z')?.zone).toBe('utc');
	});

	it('refuses the rest', () => {
		const odd = ['', '2025-08-15', '2025-08-15T14:30Z', '2025-02-29T00:00:00Z', '2025-13-01T00:00:00Z'];
		odd.push('2025-08-15T24:00:00Z', '2025-08-15T00:60:00Z', '2025-08-15 14:30:00Z', '2026-08-21-07-37-05');
		odd.push('2025-00-10T00:00:00Z', '2025-01-00T00:00:00Z', '2025-01-01T00:00:00+24:00', ' 2025-08-15T14:30:00Z');
		for (const text of odd) expect(parseTimestamp(text), text).toBeUndefined();
	});

	it('writes whole seconds in UTC', () => {
		expect(formatTimestamp(Date.UTC(2025, 7, 15, 14, 30, 0, 999))).toBe('2025-08-15T14:30:00Z');
	});
});
