import type { Segments } from '../read/blocks.ts';
import type { Block, Box } from '../read/box.ts';
import type { Flags } from '../read/flags.ts';
import { rankOf } from '../read/title-block.ts';

/** A heading that says so is short, in words. */
const maxWords = 8;
/** How parts with other articles are headed, in the languages of most sites. */
const headingPattern = new RegExp(
	`^(?:${[
		"(?:you|we think you)(?: may| might| could| would| will|['’]ll|['’]d)(?: also)? (?:like|love|enjoy|be interested)",
		'(?:more|other|similar|related|recommended|suggested|popular|latest|recent|trending) (?:articles?|posts?|stories|story|news|content|links|topics?|reads?|reading|videos?)',
		"(?:related|recommended|recommended for you|more for you|read next|what to read next|up next|don['’]t miss)\\W*$",
		'(?:você|voce|tamb[eé]m)(?: também)? (?:pode|vai|poderá) (?:gostar|se interessar)|(?:leia|veja) (?:também|mais)|(?:artigos|posts|not[ií]cias|matérias) relacionad[oa]s|relacionad[oa]s\\W*$',
		'(?:te|le|les|os|también te|quizás te) (?:puede|podr[ií]a|pueden)(?: también)? (?:gustar|interesar)|lee también|(?:art[ií]culos|noticias|entradas|contenidos?) relacionad[oa]s',
		'(?:à|a) lire aussi|lire aussi|articles? (?:similaires|connexes|liés|associés)|vous aimerez aussi|(?:cela|ça|ces articles)? ?(?:peut|pourrait|pourraient|devrait)(?: aussi)? vous (?:plaire|intéresser)',
		'ähnliche (?:artikel|beiträge)|verwandte (?:artikel|beiträge|themen)|das könnte (?:sie|dich|ihnen|dir) auch|lesen sie auch|weitere (?:artikel|beiträge|meldungen)|auch interessant|mehr zum thema',
		'leggi anche|potrebbe(?:ro)? (?:interessarti|piacerti)|(?:articoli|notizie) correlat[ie]',
		'lees ook|gerelateerde (?:artikelen|berichten)|läs (?:också|även)|les også|læs også|lue myös',
		'читайте также|похожие (?:статьи|записи|новости|материалы)|(?:статьи|материалы) по теме|вам (?:может|также)|czytaj (?:także|też|również)|zobacz (?:także|też|również)',
		'baca juga|artikel terkait|ilgili (?:haberler|yazılar|içerikler)|bài viết liên quan|مقالات ذات صلة|اقرأ أيضا|קרא עוד|כתבות נוספות',
		'関連記事|あわせて読みたい|相关(?:文章|阅读|推荐|新闻)|相關(?:文章|閱讀|新聞)|관련 ?(?:기사|글)|추천 ?(?:기사|글)',
	].join('|')})`,
	'iu',
);

/** The blocks of parts whose first heading says that they are about other articles. */
export function findRelated({ blocks }: Segments): Flags {
	const related = new Uint8Array(blocks.length);
	for (let i = 0; i < blocks.length; i++) {
		if (related[i] || !isHeading(blocks[i]!)) continue;
		const part = partUnder(blocks[i]!.box, i);
		if (part !== undefined) related.fill(1, part.start, part.end);
	}
	return related;
}

const isHeading = (block: Block): boolean =>
	rankOf(block) > 0 && block.size.words <= maxWords && headingPattern.test(block.text);

/** The smallest box that goes on after its block `i`, if that is where it begins. */
function partUnder(heading: Box, i: number): Box | undefined {
	let part: Box | null = heading;
	while (part !== null && part.end === i + 1) part = part.parent;
	return part === null || part.start < i ? undefined : part;
}
