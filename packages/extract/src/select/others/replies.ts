import type { Block, Box, Segments } from '../blocks.ts';
import { isRunningText } from '../sums.ts';
import { rankOf } from '../title-block.ts';
import type { Drop, Series } from './series.ts';

const FEWEST_REPLIES = 3;
/** Words of an article before reader replies. */
export const ARTICLE_WORDS = 60;
const MOST_STAMP = 14;
const MOST_REPLY = 3;
const AGO =
	/\b\d+\s*(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?|y|yrs?|years?)\.?\s+ago\b|\bvor \d+ (?:sekunden?|minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)\b|\bil y a \d+|\bhace \d+|\bhá \d+|\b\d+\s*(?:minut|uur|dagen|weken|timer|dager|dagar) (?:geleden|siden|sedan)|\b\d+ \p{L}+ (?:fa|temu|назад)(?!\p{L})|\d+\s*(?:秒|分|分钟|小时|時間|天|日|周|个月|年)前|\d+\s*(?:초|분|시간|일|주|달|년) 전/iu;
const REPLY =
	/^(?:↩\s*)?(?:reply|respond|antworten|répondre|responder|rispondi|reageren|beantwoorden|svara|svar|odpowiedz|ответить|回复|回覆|返信|답글|رد)(?:\s*\(\d+\))?$/iu;
const SAID = /\b(?:said|says|wrote|schrieb|sagt|a écrit|dit|dijo|escribió|ha scritto|написал)\b.{0,4}:?$/iu;
const VOTES = /^[▲▼↑↓+-]?\s*\d+\s*(?:points?|votes?|likes?|upvotes?)\b/i;

/** A series of texts, each with a name and a time or a reply control, after running text. */
export function dropReplies({ blocks, sums }: Segments, all: readonly Series[], drop: Drop): void {
	for (const { series } of all) {
		const first = series[0]!.start;
		if (sums.prose[first]! < ARTICLE_WORDS || rankOf(blocks[first]!) === 1) continue;
		const replies = series.filter((part) => isReply(blocks, part));
		if (replies.length < 0.7 * series.length || replies.length < FEWEST_REPLIES) continue;
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

function isReply(blocks: readonly Block[], { start, end }: Box): boolean {
	let stamps = 0;
	let words = 0;
	for (let i = start; i < end && i < start + 40; i++) {
		const { text, size } = blocks[i]!;
		if (size.words > MOST_STAMP) words += size.words;
		else if (size.words <= MOST_REPLY && REPLY.test(text)) stamps++;
		else if (/\d/.test(text) && (AGO.test(text) || VOTES.test(text) || SAID.test(text))) stamps++;
		else words += size.words;
	}
	return stamps > 0 && words > 0 && end - start > 1;
}
