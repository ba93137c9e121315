const year = String.raw`(?:19|20|21)\d\d`;
const month = '(?:0?[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const day = String.raw`(?:0?[1-9]|[12]\d|3[01])`;

/** `/2031`, `/2031/05`, `/2031/05/12`, `/2031-05`, `/203105`, `/may-2031`, at the end of a path. */
const datePath = new RegExp(
	String.raw`/(?:${year}(?:[/_-]?${month}(?:[/_-]?${day})?)?|${month}[/_-]${year}|${year}[/_-]?w\d\d?)/?(?:\.\w{1,5}|index\.\w+)?$`,
	'i',
);
const dateValue = new RegExp(`^${year}[-/.]?${month}(?:[-/.]?${day})?(?:T.*)?$`, 'i');
const dateName =
	/^(?:date|day|month|week|year|from|until|start|end|since|before|after|ym|yr|mon|cal\w*|tribe.*|time)$/i;
const calendarPath = /(?:^|[/_-])(?:calendar|kalender|calendrier|calendario|agenda|events?)(?:[/_.-]|$)/i;

/**
 * Whether the address names nothing but a date: a page of a calendar or an archive, from which "next" leads on for ever.
 * `/2024/05/12/title` does not: it names an article.
 */
export function isDatePage(url: URL): boolean {
	if (datePath.test(url.pathname)) return true;
	const inCalendar = calendarPath.test(url.pathname);
	if (inCalendar && /\/\d+\/?$/.test(url.pathname)) return true;
	for (const [name, value] of url.searchParams)
		if (dateValue.test(value) || (/^-?\d+$/.test(value) && (dateName.test(name) || inCalendar))) return true;
	return false;
}

/** The latest year that the address of a date page names; undefined when it names none. */
export function yearOf(url: URL): number | undefined {
	const years = (url.pathname + url.search).match(new RegExp(String.raw`(?<!\d)${year}(?=\D|$|[01]\d)`, 'g'));
	return years === null ? undefined : Math.max(...years.map(Number));
}
