import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { PolicyProblem } from './data.ts';
import type { Suggestion, Suggestions } from './suggestions.ts';
import { type Token, tokensOf } from './yaml-tokens.ts';

export interface EditorProps {
	readonly label: string;
	/** Text of the area at first; `onChange` gets each change. */
	readonly text: string;
	/** A text that takes the place of what is there, whenever the object changes. */
	readonly replacement: { readonly text: string } | undefined;
	readonly onText: (text: string) => void;
	readonly problems: readonly PolicyProblem[];
	/** Line that is lit up; counts from 1. */
	readonly lit: number | undefined;
	/** Goes to a line whenever the object changes. */
	readonly target: { readonly line: number; readonly column: number; readonly takesFocus: boolean } | undefined;
	readonly isReadOnly: boolean;
	readonly suggest: (text: string, offset: number) => Suggestions;
}

interface Open extends Suggestions {
	readonly selected: number;
	/** Characters and lines from the corner of the text. */
	readonly column: number;
	readonly line: number;
}

const lineHeight = 20;
const padding = 12;
/** Lines that are drawn: those in view, and some more. */
const maxDrawn = 120;

/**
 * A text area with line numbers, marks and suggestions. The text area is the platform's own: its undo, its selection and
 * its way of speaking to screen readers are kept. Colours and marks are drawn behind it.
 */
export function Editor(props: EditorProps) {
	const { label, text, replacement, onText, problems, lit, target, isReadOnly, suggest } = props;
	const area = useRef<HTMLTextAreaElement>(null);
	const [scroll, setScroll] = useState({ top: 0, left: 0 });
	const [open, setOpen] = useState<Open>();
	const id = useId();
	const lines = useMemo(() => text.split('\n'), [text]);
	const first = Math.max(0, Math.floor(scroll.top / lineHeight) - 5);
	const marks = useMemo(() => marksOf(problems), [problems]);
	useEffect(() => {
		if (area.current !== null && replacement !== undefined) replaceText(area.current, replacement.text);
	}, [replacement]);
	useEffect(() => {
		if (area.current !== null && target !== undefined) goTo(area.current, target);
	}, [target]);
	const ask = (isAsked: boolean) => {
		// The end of what is selected: undo selects what it brings back.
		if (isAsked) area.current?.setSelectionRange(area.current.selectionEnd, area.current.selectionEnd);
		setOpen(area.current === null ? undefined : openAt(area.current, suggest, isAsked));
	};
	const accept = (suggestion: Suggestion | undefined) => {
		if (area.current === null || open === undefined || suggestion === undefined) return;
		insert(area.current, open.from, area.current.selectionStart, insertOf(area.current, suggestion));
		setOpen(undefined);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		if (isReadOnly) return;
		if (event.key === ' ' && event.ctrlKey) {
			event.preventDefault();
			ask(true);
		} else if (open !== undefined) onListKey(event, open, setOpen, accept);
		else if (event.key === 'Enter' && area.current !== null && !event.isComposing) {
			event.preventDefault();
			indentNext(area.current);
		}
	};
	const options = open?.list ?? [];
	return (
		<div class="editor">
			<div class="editor-box">
				<div class="editor-back" aria-hidden="true">
					<div
						class="editor-lines"
						style={{ transform: `translate(${-scroll.left}px, ${first * lineHeight - scroll.top}px)` }}
					>
						{lines.slice(first, first + maxDrawn).map((line, at) => (
							<Line
								key={first + at}
								tokens={tokensOf(line)}
								number={first + at + 1}
								mark={marks.get(first + at + 1)}
								isLit={lit === first + at + 1}
							/>
						))}
					</div>
				</div>
				<textarea
					ref={area}
					defaultValue={text}
					aria-label={label}
					aria-describedby={`${id}-hint`}
					aria-autocomplete="list"
					aria-controls={options.length > 0 ? `${id}-list` : undefined}
					aria-activedescendant={open !== undefined && options.length > 0 ? `${id}-${open.selected}` : undefined}
					aria-invalid={problems.some(({ severity }) => severity === 'error') ? true : undefined}
					spellcheck={false}
					autocapitalize="off"
					autocomplete="off"
					wrap="off"
					readOnly={isReadOnly}
					onInput={(event) => {
						onText(event.currentTarget.value);
						ask(false);
					}}
					onKeyDown={onKeyDown}
					onScroll={(event) => setScroll({ top: event.currentTarget.scrollTop, left: event.currentTarget.scrollLeft })}
					onBlur={() => setOpen(undefined)}
					onClick={() => setOpen(undefined)}
				/>
				{open !== undefined && options.length > 0 && <List id={id} open={open} scroll={scroll} onAccept={accept} />}
			</div>
			<p class="hint" id={`${id}-hint`}>
				{isReadOnly
					? 'This text cannot be changed here.'
					: 'Ctrl+Space suggests keys, values and agents. Tab leaves the editor.'}
			</p>
			<p class="quiet" role="status">
				{options.length > 0 ? `${options.length} suggestions. Arrow keys choose, Enter accepts, Escape closes.` : ''}
			</p>
		</div>
	);
}

function Line({
	tokens,
	number,
	mark,
	isLit,
}: {
	tokens: readonly Token[];
	number: number;
	mark: PolicyProblem['severity'] | undefined;
	isLit: boolean;
}) {
	return (
		<div class={['editor-line', mark, isLit && 'lit'].filter(Boolean).join(' ')}>
			<span class="editor-number">{number}</span>
			{tokens.map(({ kind, text }, at) => (
				<span key={at} class={kind}>
					{text}
				</span>
			))}
		</div>
	);
}

function List({
	id,
	open,
	scroll,
	onAccept,
}: {
	id: string;
	open: Open;
	scroll: { readonly top: number; readonly left: number };
	onAccept: (suggestion: Suggestion) => void;
}) {
	const selected = useRef<HTMLDivElement>(null);
	useEffect(() => selected.current?.scrollIntoView({ block: 'nearest' }), [open.selected]);
	const place = {
		top: `${(open.line + 1) * lineHeight + padding - scroll.top}px`,
		left: `min(calc(${open.column}ch + 3.6rem - ${scroll.left}px), calc(100% - 17rem))`,
	};
	return (
		<div class="suggestions" role="listbox" id={`${id}-list`} aria-label="Suggestions" style={place}>
			{open.list.map((suggestion, at) => (
				<div
					key={suggestion.text}
					ref={at === open.selected ? selected : null}
					id={`${id}-${at}`}
					role="option"
					tabIndex={-1}
					aria-selected={at === open.selected}
					onMouseDown={(event) => {
						event.preventDefault();
						onAccept(suggestion);
					}}
				>
					<span class="suggestion">{suggestion.text}</span>
					{suggestion.detail !== '' && <span class="suggestion-detail">{suggestion.detail}</span>}
				</div>
			))}
		</div>
	);
}

/** The worst of a line. */
function marksOf(problems: readonly PolicyProblem[]): Map<number, PolicyProblem['severity']> {
	const order = ['info', 'warning', 'error'];
	const marks = new Map<number, PolicyProblem['severity']>();
	for (const { line, severity } of problems)
		if (order.indexOf(severity) > order.indexOf(marks.get(line) ?? '')) marks.set(line, severity);
	return marks;
}

function onListKey(
	event: KeyboardEvent,
	open: Open,
	setOpen: (open: Open | undefined) => void,
	accept: (suggestion: Suggestion | undefined) => void,
): void {
	const count = open.list.length;
	const move = (step: number) => setOpen({ ...open, selected: (open.selected + step + count) % count });
	const actions: Readonly<Record<string, () => void>> = {
		ArrowDown: () => move(1),
		ArrowUp: () => move(-1),
		Enter: () => accept(open.list[open.selected]),
		Escape: () => setOpen(undefined),
	};
	const action = actions[event.key];
	if (action === undefined || event.isComposing) {
		if (event.key === 'Tab' || event.key.startsWith('Arrow')) setOpen(undefined);
		return;
	}
	event.preventDefault();
	action();
}

/** Undefined where nothing is to be suggested. Without being asked, only for a word that has begun. */
function openAt(
	{ value, selectionStart, selectionEnd }: HTMLTextAreaElement,
	suggest: EditorProps['suggest'],
	isAsked: boolean,
): Open | undefined {
	if (selectionStart !== selectionEnd) return undefined;
	const found = suggest(value, selectionStart);
	if (found.list.length === 0 || (!isAsked && found.from === selectionStart)) return undefined;
	const before = value.slice(0, found.from).split('\n');
	return { ...found, selected: 0, line: before.length - 1, column: before.at(-1)?.length ?? 0 };
}

/** A key that has its colon already gets no second one. */
function insertOf({ value, selectionStart }: HTMLTextAreaElement, { insert: text }: Suggestion): string {
	return /^\s*:/.test(value.slice(selectionStart)) ? text.replace(/: $/, '') : text;
}

/** Writes as a person would: the browser can undo it. */
function insert(area: HTMLTextAreaElement, from: number, to: number, text: string): void {
	area.setSelectionRange(from, to);
	// The only way into the undo history of the platform.
	if (document.execCommand('insertText', false, text)) return;
	area.setRangeText(text, from, to, 'end');
	area.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Replaces the part that differs; the focus stays where it was. */
function replaceText(area: HTMLTextAreaElement, text: string): void {
	const { value } = area;
	if (value === text) return;
	let start = 0;
	while (start < Math.min(value.length, text.length) && value[start] === text[start]) start++;
	let end = 0;
	while (end < Math.min(value.length, text.length) - start && value.at(-1 - end) === text.at(-1 - end)) end++;
	const active = document.activeElement;
	area.focus({ preventScroll: true });
	area.setSelectionRange(start, value.length - end);
	const part = text.slice(start, text.length - end);
	const done = !area.readOnly && document.execCommand(part === '' ? 'delete' : 'insertText', false, part);
	if (!done || area.value !== text) area.value = text;
	if (active instanceof HTMLElement) active.focus({ preventScroll: true });
}

function goTo(area: HTMLTextAreaElement, { line, column, takesFocus }: NonNullable<EditorProps['target']>): void {
	const before = area.value.split('\n').slice(0, line - 1);
	const offset = before.reduce((sum, each) => sum + each.length + 1, 0) + Math.max(0, column - 1);
	if (takesFocus) {
		area.focus();
		area.setSelectionRange(offset, offset);
	}
	const top = (line - 1) * lineHeight;
	if (top < area.scrollTop || top > area.scrollTop + area.clientHeight - 3 * lineHeight)
		area.scrollTop = Math.max(0, top - area.clientHeight / 3);
}

/** A new line with the indentation of this one; deeper behind a key without a value. */
function indentNext(area: HTMLTextAreaElement): void {
	const { value, selectionStart, selectionEnd } = area;
	const line = value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart);
	const blanks = /^\s*(?:- )?/.exec(line)?.[0] ?? '';
	const deeper = /:\s*$/.test(line) ? '  ' : '';
	insert(
		area,
		selectionStart,
		selectionEnd,
		`\n${' '.repeat(line.trim() === '-' ? 0 : blanks.replace('-', ' ').length)}${deeper}`,
	);
}
