import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseDate } from './parse-date.ts';

beforeEach(() => vi.stubEnv('TZ', 'America/New_York'));
afterEach(() => vi.unstubAllEnvs());

const ten = Date.UTC(2026, 10, 28, 10);

it.each([
	['IMF-fixdate', 'Sat, 28 Nov 2026 10:00:00 GMT', ten],
	['rfc850-date', 'Saturday, 28-Nov-26 10:00:00 GMT', ten],
	['asctime-date', 'Sat Nov 28 10:00:00 2026', ten],
	['RFC 3339', '2026-11-28T10:00:00Z', ten],
	['with an offset', '2026-11-28T12:00:00+02:00', ten],
	['RFC 822 with a zone', 'Sat, 28 Nov 2026 05:00:00 EST', ten],
	['RFC 822 without one', ' Sat, 28 Nov 2026 10:00:00 ', ten],
	['ISO 8601 without one', '2026-11-28T10:00:00', ten],
	['the same in two words', '2026-11-28 10:00:00', ten],
	['a day', '2026-11-28', Date.UTC(2026, 10, 28)],
	['a day in words', '28 Nov 2026', Date.UTC(2026, 10, 28)],
	['a month', '2026-11', Date.UTC(2026, 10)],
	['no date', 'soon', Number.NaN],
	['nothing', '', Number.NaN],
])('%s means the same wherever it is read', (_, text, expected) => {
	expect(new Date(ten).getTimezoneOffset()).toBe(300);
	expect(parseDate(text)).toBe(expected);
});
