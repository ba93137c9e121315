import type { Segments } from '../../read/blocks.ts';
import type { Block, Box } from '../../read/box.ts';
import { isRunningText } from '../../read/sums.ts';
import { rankOf } from '../../read/title-block.ts';
import type { Drop, Series } from './series.ts';

const minReplies = 3;
/** Words of an article before reader replies. */
export const articleWords = 60;
const maxStamp = 14;
const maxReply = 3;
/** The age of a post, in several languages. */
const ago =
	/\b\d+\s*(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?|y|yrs?|years?)\.?\s+ago\b|\bvor \d+ (?:sekunden?|minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)\b|\bil y a \d+|\bhace \d+|\bhá \d+|\b\d+\s*(?:minut|uur|dagen|weken|timer|dager|dagar) (?:geleden|siden|sedan)|\d+\s*(?:秒|分|分钟|小时|時間|天|日|周|个月|年)前|\d+\s*(?:초|분|시간|일|주|달|년) 전/i;
/** Where letters other than those of ASCII matter. */
const agoInLetters = /\b\d+ \p{L}+ (?:fa|temu|назад)(?!\p{L})/iu;
/** Whole labels of the control that answers a post. */
const reply =
	/^(?:↩\s*)?(?:reply|respond|antworten|répondre|responder|rispondi|reageren|beantwoorden|svara|svar|odpowiedz|ответить|回复|回覆|返信|답글|رد)(?:\s*\(\d+\))?$/i;
/** The end of a line that introduces a quotation. */
const said = /\b(?:said|says|wrote|schrieb|sagt|a écrit|dit|dijo|escribió|ha scritto|написал)\b.{0,4}:?$/i;
const votes = /^[▲▼↑↓+-]?\s*\d+\s*(?:points?|votes?|likes?|upvotes?)\b/i;

/** A series of texts, each with a name and a time or a reply control, after running text. */
export function dropReplies({ blocks, sums }: Segments, all: readonly Series[], drop: Drop): void {
	const stamps = new Stamps(blocks);
	for (const { series } of all) {
		const first = series[0]!.start;
		if (sums.prose[first]! < articleWords || rankOf(blocks[first]!) === 1) continue;
		const replies = series.filter((part) => isReply(blocks, part, stamps));
		if (replies.length < 0.7 * series.length || replies.length < minReplies) continue;
		drop(startOfReplies(blocks, first), series.at(-1)!.end);
	}
}

/** A heading and a count before the first reply belong to the replies. */
function startOfReplies(blocks: readonly Block[], first: number): number {
	let start = first;
	while (start > 0 && start > first - 2 && blocks[start - 1]!.size.words <= 6 && !isRunningText(blocks[start - 1]!))
		start--;
	return start;
}

function isReply(blocks: readonly Block[], { start, end }: Box, stamps: Stamps): boolean {
	if (end - start < 2) return false;
	let isStamped = false;
	let words = 0;
	for (let i = start; i < end && i < start + 40; i++) {
		if (stamps.has(i)) isStamped = true;
		else words += blocks[i]!.size.words;
	}
	return isStamped && words > 0;
}

/** Blocks with the time of a post or a control that answers it. Series lie within each other, so each is judged once. */
class Stamps {
	readonly #blocks: readonly Block[];
	/** 1 for a stamp, 2 for another block. */
	readonly #known: Uint8Array;

	constructor(blocks: readonly Block[]) {
		this.#blocks = blocks;
		this.#known = new Uint8Array(blocks.length);
	}

	has(i: number): boolean {
		if (this.#known[i] === 0) this.#known[i] = isStamp(this.#blocks[i]!) ? 1 : 2;
		return this.#known[i] === 1;
	}
}

function isStamp({ text, size }: Block): boolean {
	if (size.words > maxStamp) return false;
	if (size.words <= maxReply && reply.test(text)) return true;
	return size.digits > 0 && (ago.test(text) || agoInLetters.test(text) || votes.test(text) || said.test(text));
}
