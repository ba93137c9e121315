/** Classes and ids of elements that name the author. */
const byline =
	/(?:^|[\s_-])(?:by-?line|authors?|creator|writer|contributor|posted-?by|written-?by|post-author|entry-author|article-author|vcard)(?=$|[\s_-])|byline|authorname|author-?name/i;
/** Classes and ids of elements that hold a date. */
const date =
	/(?:^|[\s_-])(?:date|dates|datetime|time|timestamp|published|pubdate|posted|updated|modified|entry-date|post-date|dateline|publish|ago|time-?ago|relative-?(?:time|date)|moment)(?=$|[\s_-])|pubdate|publishdate|postdate|publishedat|date-?published/i;
const breadcrumb = /breadcrumb/i;
/** Page parts whose dates and names are not this page's: an infobox tells of the subject. */
const elsewhere =
	/(?:^|[\s_-])(?:comments?|disqus|respond|related|recommended|recommendations|sidebar|trending|popular|copyright|upcoming|infobox)(?=$|[\s_-])/i;
/** A stem of each: most names have none. */
const stem =
	/ago|relat|moment|by|auth|crea|writ|contr|vcard|dat|tim|publ|post|modif|crumb|comm|disq|respond|relat|sidebar|trend|popul|copyr|upcom|infobox/i;

export const bylineMark = 1;
export const dateMark = 2;
export const breadcrumbMark = 4;
export const elsewhereMark = 8;

/** Subjects that class names and ids name. */
export function nameMarks(name: string): number {
	if (!stem.test(name)) return 0;
	return (
		(byline.test(name) ? bylineMark : 0) |
		(date.test(name) ? dateMark : 0) |
		(breadcrumb.test(name) ? breadcrumbMark : 0) |
		(elsewhere.test(name) ? elsewhereMark : 0)
	);
}
