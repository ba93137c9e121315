import { emptyList } from '../dom/node.ts';
import type { Inline, Mark } from './model.ts';

type Content = Exclude<Inline, { kind: 'open' | 'close' | 'break' }>;

/**
 * Collects one inline run. Marks that are open when a block ends are closed there and opened again in the next
 * run; a mark inside one of its own kind is ignored.
 */
export class InlineRun {
	#items = emptyList<Inline>();
	readonly #marks = emptyList<Mark>();
	readonly #ignored: Mark[] = [];
	#hasContent = false;

	text(data: string): void {
		const text = isTidy(data) ? data : data.replace(spaces, ' ').replace(invisible, '');
		if (text === '') return;
		if (text !== ' ') this.#hasContent = true;
		this.#items.push({ kind: 'text', text });
	}

	push(item: Content): void {
		this.#items.push(item);
		this.#hasContent = true;
	}

	/** A forced line break; at the start of a run it is nothing. */
	lineBreak(): void {
		if (this.#hasContent) this.#items.push({ kind: 'break' });
	}

	endsWithBreak(): boolean {
		return this.#items.findLast((item) => !(isMark(item) || isSpace(item)))?.kind === 'break';
	}

	/** The item directly before the current place. */
	last(): Inline | undefined {
		return this.#items.at(-1);
	}

	isEmpty(): boolean {
		return !this.#hasContent;
	}

	open(mark: Mark): void {
		if (this.#marks.some(({ name }) => name === mark.name)) this.#ignored.push(mark);
		else {
			this.#marks.push(mark);
			this.#items.push({ kind: 'open', mark });
		}
	}

	close(mark: Mark): void {
		const ignored = this.#ignored.lastIndexOf(mark);
		if (ignored >= 0) this.#ignored.splice(ignored, 1);
		const at = this.#marks.lastIndexOf(mark);
		if (at < 0) return;
		this.#marks.splice(at, 1);
		this.#items.push({ kind: 'close', mark });
	}

	isOpen(name: Mark['name']): boolean {
		return this.#marks.some((mark) => mark.name === name);
	}

	/** Takes the run, tidy; empty when it says nothing. Open marks go on in the next run. */
	take(): Inline[] {
		const items = this.#items;
		const hasContent = this.#hasContent;
		const marks = this.#marks;
		// Every block asks for what stands before it: mostly nothing.
		if (items.length === 0 && marks.length === 0) return items;
		for (let at = marks.length - 1; at >= 0; at--) items.push({ kind: 'close', mark: marks[at]! });
		this.#items = emptyList();
		for (const mark of marks) this.#items.push({ kind: 'open', mark });
		this.#hasContent = false;
		return hasContent ? tidy(items) : [];
	}
}

/** White space of HTML, and the no-break space, which authors use for looks: what is no single space yet. */
const spaces = /[ \t\n\r\f\u00a0]{2,}|[\t\n\r\f\u00a0]/g;
/** Soft hyphens, zero-width spaces, byte order marks and controls: never seen, always in the way. */
const invisible = /[\u00ad\u200b\u2060\ufeff\0-\x08\x0b\x0e-\x1f\x7f-\x9f]/g;

/** Whether a text holds neither. */
function isTidy(text: string): boolean {
	let before = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code <= 0x20 ? code < 0x20 || before === 0x20 : code >= 0x7f && mayBeInvisible(code)) return false;
		before = code;
	}
	return true;
}

const mayBeInvisible = (code: number): boolean => code <= 0xad || code === 0x200b || code === 0x2060 || code === 0xfeff;

function isMark(item: Inline): item is Extract<Inline, { kind: 'open' | 'close' }> {
	return item.kind === 'open' || item.kind === 'close';
}

function isSpace(item: Inline): boolean {
	return item.kind === 'text' && item.text === ' ';
}

/** The gap between two pieces of content: marks that end, white space, marks that begin. */
interface Gap {
	closes: Mark[];
	space: boolean;
	lineBreak: boolean;
	opens: Mark[];
}

/**
 * One pass that puts white space where CSS shows it: collapsed over element borders, outside of marks, none at the
 * ends. Empty marks vanish, touching marks of one kind join (`<b>a</b><b>b</b>`).
 */
export function tidy(run: readonly Inline[]): Inline[] {
	const [only] = run;
	if (run.length === 1 && only!.kind === 'text') {
		const text = only!.text.trim();
		return text === '' ? [] : [{ kind: 'text', text }];
	}
	const out: Inline[] = [];
	const gap: Gap = { closes: [], space: false, lineBreak: false, opens: [] };
	for (const item of run) {
		if (item.kind === 'open') gap.opens.push(item.mark);
		else if (item.kind === 'close') closeIn(gap, item.mark);
		else if (item.kind === 'break') gap.lineBreak = true;
		else if (item.kind !== 'text') addContent(out, gap, item);
		else {
			// Narrow and ideographic spaces part words too.
			const rest = item.text.trimStart();
			const text = rest.trimEnd();
			if (rest.length < item.text.length) gap.space = true;
			if (text !== '') addContent(out, gap, text.length === item.text.length ? item : { kind: 'text', text });
			if (text !== '' && text.length < rest.length) gap.space = true;
		}
	}
	for (const mark of gap.closes) out.push({ kind: 'close', mark });
	return withoutIdleMarks(out);
}

/** Writes the gap before an item, then the item. */
function addContent(out: Inline[], gap: Gap, item: Content): void {
	joinMarks(gap);
	for (const mark of gap.closes) out.push({ kind: 'close', mark });
	if (out.length > 0) {
		if (gap.lineBreak) out.push({ kind: 'break' });
		else if (gap.space) addText(out, { kind: 'text', text: ' ' });
	}
	for (const mark of gap.opens) out.push({ kind: 'open', mark });
	gap.closes.length = 0;
	gap.opens.length = 0;
	gap.space = false;
	gap.lineBreak = false;
	const last = out.at(-1);
	if (item.kind === 'text') addText(out, item);
	else if (item.kind === 'code' && last?.kind === 'code')
		out[out.length - 1] = { kind: 'code', text: last.text + item.text };
	else out.push(item);
}

/** Emphasis on nothing but punctuation says nothing, and is the hardest to write. */
function withoutIdleMarks(run: Inline[]): Inline[] {
	if (!run.some(isEmphasis)) return run;
	const idle = new Set<Inline>();
	const open: { item: Inline; idle: boolean }[] = [];
	for (const item of run) {
		if (item.kind === 'open') open.push({ item, idle: isEmphasis(item) });
		else if (item.kind === 'close') {
			const opened = open.pop();
			if (opened?.idle) idle.add(opened.item).add(item);
			else for (const outer of open) outer.idle = false;
		} else if (open.length > 0 && saysSomething(item)) for (const outer of open) outer.idle = false;
	}
	return idle.size === 0 ? run : run.filter((item) => !idle.has(item));
}

const isEmphasis = (item: Inline): boolean =>
	item.kind === 'open' && (item.mark.name === 'em' || item.mark.name === 'strong');

function saysSomething(item: Inline): boolean {
	return item.kind === 'text' ? /[\p{L}\p{N}\p{Emoji_Presentation}]/u.test(item.text) : item.kind !== 'break';
}

function addText(out: Inline[], item: Extract<Inline, { kind: 'text' }>): void {
	const last = out.at(-1);
	if (last?.kind === 'text') out[out.length - 1] = { kind: 'text', text: last.text + item.text };
	else out.push(item);
}

/** A mark that closes in the gap it opened in is empty. One that closes under others takes them along. */
function closeIn(gap: Gap, mark: Mark): void {
	const opened = gap.opens.lastIndexOf(mark);
	if (opened >= 0) gap.opens.splice(opened, 1);
	else gap.closes.push(mark);
}

/** The outermost mark that ends here and the outermost that begins are one when they say the same. */
function joinMarks(gap: Gap): void {
	while (gap.closes.length > 0 && gap.opens.length > 0) {
		const ended = gap.closes.at(-1)!;
		const begun = gap.opens[0]!;
		const apart = gap.lineBreak || (gap.space && begun.name === 'link');
		if (ended.name !== begun.name || ended.url !== begun.url || apart) return;
		gap.closes.pop();
		gap.opens.shift();
	}
}
