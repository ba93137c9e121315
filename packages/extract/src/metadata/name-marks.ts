const BYLINE =
	/(?:^|[\s_-])(?:by-?line|authors?|creator|writer|contributor|posted-?by|written-?by|post-author|entry-author|article-author|vcard)(?=$|[\s_-])|byline|authorname|author-?name/i;
const DATE =
	/(?:^|[\s_-])(?:date|dates|datetime|time|timestamp|published|pubdate|posted|updated|modified|entry-date|post-date|dateline|publish|ago|time-?ago|relative-?(?:time|date)|moment)(?=$|[\s_-])|pubdate|publishdate|postdate|publishedat|date-?published/i;
const BREADCRUMB = /breadcrumb/i;
/** Page parts whose dates and names are not this page's: an infobox tells of the subject. */
const ELSEWHERE =
	/(?:^|[\s_-])(?:comments?|disqus|respond|related|recommended|recommendations|sidebar|trending|popular|copyright|upcoming|infobox)(?=$|[\s_-])/i;
/** A stem of each: most names have none. */
const STEM =
	/ago|relat|moment|by|auth|crea|writ|contr|vcard|dat|tim|publ|post|modif|crumb|comm|disq|respond|relat|sidebar|trend|popul|copyr|upcom|infobox/i;

export const BYLINE_MARK = 1;
export const DATE_MARK = 2;
export const BREADCRUMB_MARK = 4;
export const ELSEWHERE_MARK = 8;

/** What class names and ids speak of. */
export function nameMarks(name: string): number {
	if (!STEM.test(name)) return 0;
	return (
		(BYLINE.test(name) ? BYLINE_MARK : 0) |
		(DATE.test(name) ? DATE_MARK : 0) |
		(BREADCRUMB.test(name) ? BREADCRUMB_MARK : 0) |
		(ELSEWHERE.test(name) ? ELSEWHERE_MARK : 0)
	);
}
