/** Month names by their first letters, in the languages of most pages: the longest match decides. */
const months: readonly string[] = [
	'jan gen ene янв sty led οα ιαν oca ינואר يناير ม.ค มกรา thg1 jän',
	'feb fév fev фев lut úno φεβ şub פברואר فبراير ก.พ กุมภา febr',
	'mar mär mrt мар μαρ bře march מרץ مارس มี.ค มีนา maart',
	'apr avr abr апр kwi dub απρ nis אפריל أبريل ابريل เม.ย เมษา',
	'may mai mei maj mag май мая mayo kvě μάι μαΐ מאי مايو พ.ค พฤษภา máj',
	'jun juin giu июн cze červn čer ιούν ιουν haz יוני يونيو มิ.ย มิถุนา',
	'jul juil lug июл lip červenc ιούλ ιουλ tem יולי يوليو ก.ค กรกฎา',
	'aug août aoû ago авг sie srp αυγ αύγ ağu אוגוסט أغسطس ส.ค สิงหา',
	'sep set сен wrz zář σεπ eyl ספטמבר سبتمبر ก.ย กันยา sept',
	'oct okt ott out окт paź říj οκτ eki אוקטובר أكتوبر ต.ค ตุลา',
	'nov noi ноя lis kas νοέ νοε נובמבר نوفمبر พ.ย พฤศจิกา',
	'dec déc dez dic дек gru pros δεκ ara דצמבר ديسمبر ธ.ค ธันวา',
];

const prefixes: readonly (readonly [string, number])[] = months
	.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const))
	.sort(([a], [b]) => b.length - a.length);

/** ISO 8601, with or without day, time, fraction and offset. */
const iso =
	/(?<![\d-])(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?:(?:T|\s+)(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?\s*(Z|[+-]\d{2}:?\d{2}|[+-]\d{2}(?!\d))?)?(?![\d-])/i;
const compact = /^(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?(Z)?)?$/;
const cjk = /(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월](?:\s*(\d{1,2})\s*[日일号])?/;
/** `1st of May 2024`, `1 de mayo de 2024`, `1. Mai 2024`. */
const dayMonthYear =
	/(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.|er|º|ª)?[\s,/-]*(?:de\s+|of\s+|d['’]|ב)?(\p{L}[\p{L}\p{M}.]*)\.?,?[\s/-]*(?:de\s+|del\s+)?(\d{4})(?!\d)/u;
/** `May 1st, 2024`. */
const monthDayYear = /(\p{L}[\p{L}\p{M}.]*)\.?\s+(\d{1,2})(?:st|nd|rd|th)?\s*,?\s+(\d{4})(?!\d)/u;
/** `2024 May 1`. */
const yearMonthDay = /(?<!\d)(\d{4})[\s.,-]+(\p{L}[\p{L}\p{M}.]*)\.?[\s.,-]+(\d{1,2})(?!\d)/u;
/** `May 2024`, where no day stands before the month. */
const monthYear =
	/(?<!\d[.\s]*)(?<!\p{L})(?<!\d(?:st|nd|rd|th)\s)(\p{L}[\p{L}\p{M}.]*)\.?,?\s+(?:de\s+)?(\d{4})(?!\d)/u;
const yearFirst = /(?<![\d./])(\d{4})[./](\d{1,2})[./](\d{1,2})(?![\d/])/;
/** `1/5/2024` and `1.5.24`: the same separator twice. */
const numeric = /(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/])/;

/**
 * Reads a date as pages write it: ISO 8601, RFC 2822, month names of many languages, `2026年3月4日`, numbers.
 * The result is ISO 8601 and says no more than the page: `2026-03`, `2026-03-04`, `2026-03-04T05:06:07Z`.
 * `3/4/2026` is ambiguous: the month comes first only where the page's language is American English.
 *
 * @param language of the page, a BCP 47 tag
 */
export function parseDate(source: string | undefined, language = ''): string | undefined {
	const text = source?.trim().replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
	if (text === undefined || text.length < 4 || text.length > 300 || !/\d/.test(text)) return undefined;
	return (
		fromIso(iso.exec(text) ?? compact.exec(text)) ??
		fromStamp(text) ??
		fromParts(cjk.exec(text), [1, 2, 3]) ??
		fromNames(text) ??
		fromParts(yearFirst.exec(text), [1, 2, 3]) ??
		fromNumbers(numeric.exec(text), language)
	);
}

function fromIso(match: RegExpExecArray | null): string | undefined {
	if (match === null) return undefined;
	const [, year, month, day, hour, minute, second, zone] = match;
	const date = isoDate(Number(year), Number(month), day === undefined ? undefined : Number(day));
	if (date === undefined || hour === undefined || day === undefined || Number(hour) > 24 || Number(minute) > 59)
		return date;
	const time = `T${hour.padStart(2, '0')}:${minute}${second === undefined ? '' : `:${second}`}`;
	return date + time + offset(zone);
}

function offset(zone: string | undefined): string {
	if (zone === undefined) return '';
	if (/^z$/i.test(zone) || /^[+-]00:?00$/.test(zone)) return 'Z';
	const digits = zone.replace(':', '');
	return `${digits.slice(0, 3)}:${digits.slice(3) || '00'}`;
}

/** Seconds or milliseconds since 1970, as some systems put them into attributes. */
function fromStamp(text: string): string | undefined {
	if (!/^\d{10}(?:\d{3})?$/.test(text)) return undefined;
	const date = new Date(Number(text) * (text.length === 10 ? 1000 : 1));
	return date.toISOString().replace(/\.\d+/, '');
}

function fromNames(text: string): string | undefined {
	// Compiling and running the patterns takes longer than a look for what each of them needs.
	if (!/\d{4}/.test(text) || !namesMonth(text)) return undefined;
	// RFC 2822 §3.3: day, month name, year, time and zone.
	const rfc2822 =
		/(\d{1,2})\s+(\p{L}{3})\p{L}*\.?\s+(\d{4})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(GMT|UTC|Z|[+-]\d{4})?/u.exec(text);
	if (rfc2822 !== null) {
		const [, day, name, year, hour, minute, second, zone] = rfc2822;
		const month = monthOf(name!);
		const date = month === undefined ? undefined : isoDate(Number(year), month, Number(day));
		if (date !== undefined)
			return `${date}T${hour!.padStart(2, '0')}:${minute}${second === undefined ? '' : `:${second}`}${offset(zone?.replace(/GMT|UTC/, 'Z'))}`;
	}
	return (
		named(dayMonthYear.exec(text), 3, 2, 1) ??
		named(monthDayYear.exec(text), 3, 1, 2) ??
		named(yearMonthDay.exec(text), 1, 2, 3) ??
		named(monthYear.exec(text), 2, 1, undefined)
	);
}

function named(
	match: RegExpExecArray | null,
	year: number,
	month: number,
	day: number | undefined,
): string | undefined {
	if (match === null) return undefined;
	const number = monthOf(match[month]!);
	if (number === undefined) return undefined;
	return isoDate(Number(match[year]), number, day === undefined ? undefined : Number(match[day]));
}

function namesMonth(text: string): boolean {
	const lower = text.toLowerCase();
	return prefixes.some(([prefix]) => lower.includes(prefix));
}

function monthOf(name: string): number | undefined {
	const lower = name.toLowerCase();
	return prefixes.find(([prefix]) => lower.startsWith(prefix))?.[1];
}

function fromParts(
	match: RegExpExecArray | null,
	[year, month, day]: readonly [number, number, number],
): string | undefined {
	if (match === null) return undefined;
	return isoDate(Number(match[year]), Number(match[month]), match[day] === undefined ? undefined : Number(match[day]));
}

function fromNumbers(match: RegExpExecArray | null, language: string): string | undefined {
	if (match === null) return undefined;
	const [, first, separator, second, last] = match;
	const year = last!.length === 2 ? 2000 + Number(last) : Number(last);
	const [a, b] = [Number(first), Number(second)];
	const american = separator === '/' && /^en(?:-US|-PH)?$/i.test(language);
	const monthFirst = b > 12 || (a <= 12 && american);
	return monthFirst ? isoDate(year, a, b) : isoDate(year, b, a);
}

/** A date that exists, between the first printed page and the far future. */
function isoDate(year: number, month: number, day: number | undefined): string | undefined {
	if (year < 1500 || year > 2200 || month < 1 || month > 12) return undefined;
	const start = `${year}-${String(month).padStart(2, '0')}`;
	if (day === undefined) return start;
	const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
	return day >= 1 && day <= last ? `${start}-${String(day).padStart(2, '0')}` : undefined;
}
