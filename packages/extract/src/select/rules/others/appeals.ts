import type { Segments } from '../../read/blocks.ts';
import type { Block } from '../../read/box.ts';
import { kindBit } from '../../read/hints.ts';
import { within } from '../../read/sums.ts';
import { rankOf } from '../../read/title-block.ts';
import type { Drop } from './series.ts';

const maxAppeal = 60;
// No `u` flag: with it, each of these takes V8 sixteen times as long.
const appeal = new RegExp(
	[
		'\\b(?:support|help (?:us|keep)|fund|back) (?:our|us|independent|quality|this|local)\\b.{0,40}(?:journalism|newsroom|reporting|work|site|project|mission|free)?',
		'\\b(?:donate|make a (?:gift|donation|contribution)|give (?:today|now)|chip in|become a (?:member|supporter|patron|subscriber)|buy (?:us|me) a coffee)\\b',
		'\\b(?:subscribe|sign up|register|join)\\b.{0,40}\\b(?:now|today|newsletters?|free|updates|inbox|for (?:only|just|as little|one|\\$|€|£)|a month|daily|weekly)\\b',
		'\\benjoying this (?:article|story|post)|\\breaders like you\\b|\\byour support\\b|\\bfor as little as\\b',
		'\\bfollow us on\\b|\\b(?:download|get|install) (?:our|the) (?:free )?app\\b|\\bget our (?:free )?newsletter\\b',
		'\\bunterstützen sie (?:uns|unse)|\\bspenden sie|\\b(?:jetzt )?abonnieren\\b|\\bnewsletter (?:abonnieren|bestellen)|\\bunser journalismus',
		'\\bsoutenez[- ]|\\bfaites un don|\\babonnez-vous|\\binscrivez-vous|\\bapóya(?:nos|me)|\\bsuscríbete|\\bhaz(?:te)? (?:una donación|socio)|\\bapoie\\b|\\bassine\\b|\\binscreva-se|\\bsostieni(?:ci)?\\b|\\babbonati|\\biscriviti',
		'\\bsteun ons|\\bdoneer\\b|\\bword (?:lid|abonnee)|поддержите|подпишитесь|订阅|訂閱|捐款|支持我们|購読|寄付|구독|후원',
	].join('|'),
	'i',
);
/** A stem of each appeal: texts without one are not checked further. */
const appealStem =
	/[Ss]upport |[Hh]elp (?:us|keep)|[Ff]und (?:our|us|ind)|[Bb]ack (?:our|us)|[Dd]onat|[Mm]ake a [gdc]|[Gg]ive (?:to|no)|[Cc]hip in|[Bb]ecome a|coffee|[Ss]ubscri|[Ss]ign up|[Rr]egister|[Jj]oin|[Ee]njoying|readers like|as little as|[Ff]ollow us|[Dd]ownload|[Ii]nstall|[Gg]et (?:our|the) |nterst|[Ss]pende|bonnier|[Nn]ewsletter|ournalism|outenez|[Ff]aites un|bonnez|nscri|póya|uscríb|[Hh]az(?:te)? |poie|ssine|ostieni|bbona|[Ss]teun|[Dd]oneer|[Ww]ord (?:lid|abo)|[Пп]оддерж|[Пп]одпиш|订阅|訂閱|捐款|支持|購読|寄付|구독|후원|dvertis|ADVERTIS|ponsored|SPONSORED|nzeige|ANZEIGE|erbung|WERBUNG|ublici|ubblici|dvertentie|eklam|nnons|[Рр]еклама|广告|廣告|広告|광고/;
const promoBit = kindBit('promo');
/** Whole labels of advertisements, in several languages. */
const advertisement =
	/^(?:advertisement|advertising|sponsored|anzeige|werbung|publicité|publicidad|pubblicità|advertentie|reklama?|annons|реклама|广告|廣告|広告|광고)[:.]?$/i;
/** The site or the reader, or money: an appeal names one of them. */
const self =
	/\b(?:us|our|your|you|ihnen|uns|unser|ihr\w*|nous|notre|votre|vous|nuestr[oa]|tu|noi|nostr[oa]|ons|onze|euros?|dollars?|pounds?)\b|[$€£]|订阅|購読|구독|支持|подпи|поддерж/i;

/** Appeals to donate, pay, subscribe, follow or install between the paragraphs, with the box around them. */
export function dropAppeals({ blocks, boxes, sums }: Segments, drop: Drop): void {
	const found = blocks.map(isAppeal);
	for (let i = 0; i < found.length; i++) if (found[i]) drop(i, i + 1);
	for (const box of boxes) {
		const { start, end, element } = box;
		if (end - start < 2 || end - start > 6 || element.tag === 'article' || element.tag === 'main') continue;
		if (within(sums.words, box) > maxAppeal) continue;
		const heading = blocks[start]!;
		const isHeaded = found[start] && (rankOf(heading) > 0 || heading.strong >= 0.8 * heading.size.chars);
		if (isHeaded) drop(start, end);
	}
}

function isAppeal(block: Block): boolean {
	const { text, size, box, links, linked, strong } = block;
	if (size.words > maxAppeal) return false;
	if (size.words <= 2 && advertisement.test(text)) return true;
	const isLoud = links > 0 || rankOf(block) > 1 || strong > 0.8 * size.chars || (box.kinds & promoBit) !== 0;
	// Entries of menus are short links.
	if (!isLoud || (size.words < 5 && linked > 0.9 * size.chars) || !appealStem.test(text)) return false;
	return appeal.test(text) && self.test(text);
}
