import { aroundTags } from '../read/around.ts';
import type { Segments } from '../read/blocks.ts';
import type { Facts } from '../read/facts.ts';
import { kindCount } from '../read/hints.ts';
import { log, ratio, within } from '../read/sums.ts';
import { rankOf } from '../read/title-block.ts';
import { roles } from './box-facts.ts';
import { RoleFeatures } from './role-features.ts';
import { type Matrix, RowWriter } from './row-writer.ts';
import { Sections } from './sections.ts';
import { Surroundings } from './surroundings.ts';
import { type Scales, type Survey, survey } from './survey.ts';

const tags = [
	'p',
	'li',
	'td',
	'th',
	'dt',
	'dd',
	'pre',
	'blockquote',
	'figcaption',
	'button',
	'label',
	'div',
	'summary',
	'address',
	'caption',
];
const tagBit = new Map(tags.map((tag, i) => [tag, 1 << i]));

/** Values of one block, more or less: with room for them nothing is copied. */
const row = 270;

/**
 * The features of all blocks of a page; what is the same for each of them, `pageFeatures` tells.
 *
 * @param out one for many pages saves the time that new memory takes, but holds one matrix at a time
 */
export function blockFeatures(segments: Segments, facts: Facts, scales: Scales, out = new RowWriter()): Matrix {
	const { blocks } = segments;
	out.restart(blocks.length * row);
	const surveyed = survey(segments, facts, scales);
	const sections = new Sections(surveyed);
	const surroundings = new Surroundings(surveyed);
	const roles = new RoleFeatures(segments, surveyed);
	for (let i = 0; i < blocks.length; i++) {
		writeText(out, surveyed, i);
		sections.write(out, i);
		writePlace(out, surveyed, i);
		surroundings.write(out, i);
		roles.write(out, i);
	}
	return out.finish(blocks.length);
}

const price = /[$€£¥]\s?\d|\d\s?(?:€|USD|EUR|kr)/;
/** The beginning of a text that goes on elsewhere. */
const cutShort = /(?:…|\.\.\.)\s?[\])»]?$/;
const cutShortEnds = new Set(Array.from('….])» ', (end) => end.charCodeAt(0)));
const smallFirst = /^\p{Ll}/u;

/** Values that `writeText` writes. */
const textWidth = 27;

function writeText(out: RowWriter, { blocks, evidence, copies }: Survey, i: number): void {
	const { box, size, text, linked, links, lead, strong } = blocks[i]!;
	const words = evidence[i]!;
	const { count, first } = copies[i]!;
	const last = text.charCodeAt(text.length - 1);
	let at = out.take(textWidth);
	const { data } = out;
	data[at++] = log(size.words);
	data[at++] = ratio(size.chars, size.words);
	data[at++] = ratio(linked, size.chars);
	data[at++] = links;
	data[at++] = ratio(strong, size.chars);
	data[at++] = ratio(size.digits, size.chars);
	data[at++] = ratio(size.upper, size.chars);
	data[at++] = ratio(size.capitals, size.words);
	data[at++] = ratio(size.stops, size.words);
	data[at++] = ratio(size.commas, size.words);
	data[at++] = size.separators;
	data[at++] = ratio(size.codes, size.words);
	data[at++] = last === 46 || last === 33 || last === 0x3002 || last === 0x201d || last === 34 ? 1 : 0;
	data[at++] = last === 58 ? 1 : 0;
	data[at++] = last === 63 ? 1 : 0;
	data[at++] = startsSmall(text) ? 1 : 0;
	data[at++] = words.sum;
	data[at++] = words.min;
	data[at++] = words.max;
	data[at++] = box.hidden ? 1 : 0;
	data[at++] = count;
	data[at++] = first < i ? 1 : 0;
	data[at++] = text.includes('\n') ? 1 : 0;
	data[at++] = isCutShort(text, last) ? 1 : 0;
	data[at++] = lead < 0 ? -1 : lead / size.chars;
	data[at++] = lead < 0 ? 0 : log(lead);
	data[at] = size.digits > 0 && price.test(text) ? 1 : 0;
}

/** @param last unit of the text: few have one that may end so */
function isCutShort(text: string, last: number): boolean {
	return cutShortEnds.has(last) && cutShort.test(text.slice(-6));
}

function startsSmall(text: string): boolean {
	const first = text.charCodeAt(0);
	return first < 128 ? first >= 97 && first <= 122 : smallFirst.test(text);
}

/** Values that `writePlace` writes after those of bits. */
const placeWidth = 24;

function writePlace(out: RowWriter, surveyed: Survey, i: number): void {
	const { blocks, boxes, sums, title, proseBefore, proseAfter } = surveyed;
	const { box } = blocks[i]!;
	const { index } = box;
	const own = boxes.own[index]!;
	const count = blocks.length;
	out.add(rankOf(blocks[i]!));
	out.add(box.depth);
	out.add(boxes.listDepth[index]!);
	out.addBits(tagBit.get(box.element.tag) ?? 0, tags.length);
	out.addBits(box.around, aroundTags.length);
	out.addBits(boxes.roles[index]!, roles.length + 1);
	out.addBits(box.kinds, kindCount);
	const article = boxes.article[index];
	let at = out.take(placeWidth);
	const { data } = out;
	data[at++] = i;
	data[at++] = i / count;
	data[at++] = ratio(sums.words[i]!, sums.words[count]!);
	data[at++] = ratio(sums.prose[i]!, sums.prose[count]!);
	data[at++] = title < 0 ? 9999 : i - title;
	data[at++] = title < 0 ? -1 : title / count;
	data[at++] = proseBefore[i]!;
	data[at++] = proseAfter[i]!;
	data[at++] = own.sum;
	data[at++] = own.min;
	data[at++] = own.max;
	data[at++] = boxes.chain[index]!;
	data[at++] = boxes.worst[index]!;
	data[at++] = boxes.best[index]!;
	data[at++] = boxes.alike[index]!;
	data[at++] = boxes.place[index]!;
	data[at++] = i - box.start;
	data[at++] = box.end - box.start;
	data[at++] = title < 0 ? -1 : blocks[title]!.box.depth - surveyed.shared[index]!;
	data[at++] = title < 0 ? -1 : box.depth - surveyed.shared[index]!;
	data[at++] = boxes.articles[index]!;
	data[at++] = article === undefined ? -1 : ratio(within(sums.prose, article), sums.prose[count]!);
	data[at++] = article === undefined ? -1 : title >= article.start && title < article.end ? 1 : 0;
	data[at] = boxes.columns[index]!;
}
