const year = String.raw`(?:19|20|21)\d\d`;
const month = '(?:0?[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const day = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
const end = String.raw`/?(?:\.\w{1,5}|index\.\w+)?$`;

/** `/2031/05`, `/2031/05/12`, `/2031-05`, `/203105`, `/may-2031`, `/2031-w07`, at the end of a path. */
const datePath = new RegExp(
	String.raw`/(?:${year}[/_-]?${month}(?:[/_-]?${day})?|${month}[/_-]${year}|${year}[/_-]?w\d\d?)${end}`,
	'i',
);
/** A year alone is a date only where nothing stands before it: `/2031`, but not `/page/2031`. */
const yearPath = new RegExp(`^/${year}${end}`);
const wholeYear = new RegExp(`^${year}$`);
const isoDate = new RegExp(`(?<!\\d)${year}-${month}(?:-${day})?(?!\\d)`);
const dateValue = new RegExp(`^${year}[-/.]?${month}(?:[-/.]?${day})?(?:T.*)?$`, 'i');
/** Query names that are likely to hold a date or a part of one. */
const dateName =
	/^(?:date|day|month|week|year|from|until|start|end|since|before|after|ym|yr|mon|cal\w*|tribe.*|time)$/i;
const yearName = /^(?:yyyy|yr|year|jahr|ann[eé]e|anno|a[nñ]o|ano)$/i;
/** `y` is the place on a map, unless a month or the like stands beside it. */
const shortYearName = /^yy?$/i;
const besideYear = /^(?:mm?|mo|mon|month|ww?|week|dd?|day)$/i;
/** A path segment that names a calendar, in five languages. */
const calendarPath = /(?:^|[/_-])(?:cal|calendar|kalender|calendrier|calendario|agenda|events?)(?:[/_.-]|$)/i;
const anyYear = new RegExp(String.raw`(?<!\d)${year}(?=\D|$|[01]\d)`, 'g');

/**
 * Whether the address names nothing but a date: a page of a calendar or an archive, from which "next" leads on for ever.
 * `/2024/05/12/title` does not: it names an article.
 */
export function isDatePage(url: URL): boolean {
	if (datePath.test(url.pathname) || yearPath.test(url.pathname)) return true;
	const inCalendar = calendarPath.test(url.pathname);
	if (inCalendar && /\/\d+\/?$/.test(url.pathname)) return true;
	for (const [name, value] of url.searchParams)
		if (dateValue.test(value) || (/^-?\d+$/.test(value) && (dateName.test(name) || inCalendar))) return true;
	return namesYear(url);
}

function namesYear({ searchParams }: URL): boolean {
	const isBesideMonth = [...searchParams.keys()].some((name) => besideYear.test(name));
	for (const [name, value] of searchParams)
		if (wholeYear.test(value) && (yearName.test(name) || (isBesideMonth && shortYearName.test(name)))) return true;
	return false;
}

/** The latest year named where a number of four digits can only be one; undefined elsewhere. */
export function yearOf(url: URL): number | undefined {
	const text = url.pathname + url.search;
	if (!calendarPath.test(url.pathname) && !isoDate.test(text) && !namesYear(url)) return undefined;
	const years = text.match(anyYear);
	return years === null ? undefined : Math.max(...years.map(Number));
}
