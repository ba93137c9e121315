import { AddressRules } from '../addresses/address-rules.ts';
import { splitBlocks } from './blocks.ts';
import {
	adHosts,
	adLine,
	adMark,
	bracketed,
	clocks,
	counters,
	rails,
	relativeTimes,
	tokens,
	volatileOfPictures,
	volatileParameters,
} from './noise-words.ts';

const links = new AddressRules({ ignoreParams: volatileParameters });
const pictures = new AddressRules({ ignoreParams: volatileOfPictures });

/** A link or picture in Markdown: the mark, the text without nested brackets, the address. */
const link = /(!?)\[([^\][]*)\]\(([^)\s]{1,2048})((?:\s+"[^"]{0,500}")?)\)/g;
/** Separators of the parts of a line of figures; a comma between digits is part of a number. */
const separator = /\s+[·•|–—]\s+|,\s|\s+and\s+/u;
const years = /^((?:copyright|©|\(c\))(?: ?(?:©|\(c\)))?) ?\d{4}(?: ?[-–] ?\d{4})?/iu;
/** Longer lines are prose, which no counter is part of; the rules also take time on them. Characters. */
const maxFigure = 160;

/**
 * Whether two documents say the same: their blocks differ in noise only. Noise is clocks, counters, tokens and session
 * ids, advertising, and links to other pages that change with each visit. A price, a version or a date is not.
 *
 * @param addresses of the old document and of the new one: what refers to itself is no difference
 */
export function isSameContent(before: string, after: string, addresses: readonly [string, string]): boolean {
	if (before === after) return true;
	const [old, next] = [contentOf(before, addresses[0]), contentOf(after, addresses[1])];
	return old.length === next.length && old.every((block, at) => block === next[at]);
}

/** The blocks of a document without noise, to compare them with those of another version of the page. */
export function contentOf(markdown: string, address: string): string[] {
	const kept: string[] = [];
	let skips: 'ad' | 'rail' | undefined;
	for (const block of splitBlocks(markdown).blocks) {
		const isOfLinks = isLinksOnly(block);
		// Teasers stand in the entries of the list.
		if (skips === 'rail' && /^\s{2,}\S|^[-*+] .*\]\(/.test(block)) continue;
		if (skips !== undefined && isOfLinks) {
			if (skips === 'ad') skips = undefined;
			continue;
		}
		const plain = block.replace(/^#{1,6} +|[*_]{1,2}/g, '').trim();
		skips = adMark.test(plain) ? 'ad' : rails.test(plain) ? 'rail' : undefined;
		if (skips === 'ad' || isAdvertising(block, isOfLinks)) continue;
		const content = withoutNoise(block, address);
		if (content !== '') kept.push(content);
	}
	return kept;
}

function withoutNoise(block: string, address: string): string {
	if (/^[ \t]*(?:```|~~~)/.test(block)) return block;
	return block
		.replace(link, (_, mark: string, text: string, url: string, title: string) => {
			const folded = (mark === '!' ? pictures : links).fold(url)?.url ?? url;
			return `${mark}[${text}](${withoutAddress(folded, address)}${title})`;
		})
		.split('\n')
		.map(lineWithoutNoise)
		.join('\n')
		.trim();
}

const withoutAddress = (url: string, address: string): string =>
	url === address || url.startsWith(`${address}#`) ? url.slice(address.length) : url;

function lineWithoutNoise(line: string): string {
	const text = line.trim().replace(/\s+/g, ' ');
	if (text.length > maxFigure) return relativeTimes.reduce((rest, times) => rest.replace(times, '<time>'), text);
	const bare = text.replace(/^(?:[-*+>]|\d+[.)]) |[*_]{2}/g, '');
	if (clocks.some((clock) => clock.test(bare))) return '';
	let rest = text;
	for (const times of relativeTimes) rest = rest.replace(times, '<time>');
	for (const token of tokens) rest = rest.replace(token, '<token>');
	rest = rest.replace(years, '$1').replace(bracketed, '(<count>)');
	// The cells of a table are no counters of the page.
	return /\d/.test(rest) && !text.startsWith('|') ? withoutCounters(rest) : rest;
}

function withoutCounters(line: string): string {
	const parts = line.split(separator);
	const kept = parts.map((part) => {
		const bare = part
			.replace(/^(?:[-*+>]|\d+[.)]) |[*_]{2}/g, '')
			.replace('<time>', '')
			.replace(/^\[([^\][]*)\]\([^)\s]*\)$/, '$1')
			.trim();
		return bare !== '' && counters.some((counter) => counter.test(bare)) ? '<count>' : part;
	});
	return kept.includes('<count>') ? kept.join(' | ') : line;
}

/** Whether a block is links or pictures and nothing else. */
function isLinksOnly(block: string): boolean {
	if (!block.includes('](')) return false;
	// A picture in a link is a link in brackets after the first pass.
	const rest = block.replace(link, (_, mark: string) => (mark === '!' ? '' : ' ')).replace(link, ' ');
	return !/[\p{L}\p{N}]/u.test(rest.replace(/^[ \t]*\d+[.)] /gm, ''));
}

function isAdvertising(block: string, isOfLinks: boolean): boolean {
	if (adLine.test(block)) return isLinksOnly(block.replace(adLine, ''));
	if (!isOfLinks) return false;
	const hosts = [...block.matchAll(/\]\((https?:\/\/[^)\s]+)/g)].map(([, url = '']) => hostOf(url));
	return hosts.length > 0 && hosts.every((host) => adHosts.test(host));
}

function hostOf(url: string): string {
	try {
		return new URL(url).hostname;
	} catch {
		return '';
	}
}
