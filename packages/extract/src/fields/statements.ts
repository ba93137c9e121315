import { labelForm } from './text-forms.ts';

/** Something that a document states under a label. */
export interface Statement {
	/** In the form for comparison. */
	readonly label: string;
	readonly text: string;
	/** Of the first link in it. */
	readonly href?: string | undefined;
	/** `table: Weight`. */
	readonly at: string;
}

/** A list below a heading or a label. */
export interface StatedList {
	readonly label: string;
	readonly entries: readonly string[];
	readonly at: string;
}

/** A table with a head: one record for each row. */
export interface StatedTable {
	readonly head: readonly string[];
	readonly rows: readonly (readonly string[])[];
	readonly heading: string;
}

/** Everything that a document states plainly. */
export interface Statements {
	readonly rows: ReadonlyMap<string, readonly Statement[]>;
	readonly lists: ReadonlyMap<string, readonly StatedList[]>;
	readonly tables: readonly StatedTable[];
}

/** Bounds of what is read of a document. */
const limits = { lines: 50_000, line: 5_000, statements: 5_000, label: 60, entries: 500 };

/** Headings of parts that speak of other things than the page does, or in which others speak. */
const elsewhere =
	/\b(?:related|similar|also|recommend\w*|sponsored|advert\w*|reviews?|comments?|trending|newsletter|customers|recently viewed|upcoming|past events|(?:more|other|further|all) (?:\w+ )?(?:jobs|events|recipes|products|offers|openings|positions|items|dates|vacancies)|more (?:from|like)|compare)\b|ähnlich|verwandt|empfehl|bewertung|kommentar|weitere|auch interessant|kunden|similaires|aussi|avis|commentaires|relacionad|también|opiniones/i;

const heading = /^(#{1,6})\s+(.*)$/;
const bullet = /^\s*(?:[-*+]|\d{1,4}[.)])\s+(.*)$/;
const fence = /^\s*(?:`{3,}|~{3,})/;

/** Reads the Markdown of a document once, in time linear in its length. */
export function statementsOf(markdown: string): Statements {
	const reader = new StatementReader();
	let at = 0;
	for (let count = 0; at <= markdown.length && count < limits.lines; count++) {
		const end = markdown.indexOf('\n', at);
		const stop = end === -1 ? markdown.length : end;
		reader.line(markdown.slice(at, Math.min(stop, at + limits.line)));
		at = stop + 1;
	}
	return reader.finish();
}

class StatementReader {
	readonly #rows = new Map<string, Statement[]>();
	readonly #lists = new Map<string, StatedList[]>();
	readonly #tables: StatedTable[] = [];
	#count = 0;
	#inCode = false;
	/** The level of the heading whose part is passed over. */
	#skipped: number | undefined;
	#heading = '';
	/** What the line before says, if it can be the label of a list or of definitions. */
	#before: string | undefined;
	#table: string[][] = [];
	#list: { readonly label: string; readonly entries: string[]; readonly at: string } | undefined;

	line(line: string): void {
		if (fence.test(line)) this.#inCode = !this.#inCode;
		if (this.#inCode) return;
		const isRow = line.startsWith('|');
		if (!isRow && this.#table.length > 0) this.#endTable();
		if (line.trim() === '') return;
		const title = heading.exec(line);
		if (title !== null) this.#begin(title[1]!.length, plain(title[2]!));
		if (title !== null || this.#skipped !== undefined) return;
		if (isRow) {
			this.#list = undefined;
			if (this.#table.length < limits.statements) this.#table.push(cellsOf(line));
			return;
		}
		if (line.startsWith(': ')) {
			this.#definition(line.slice(2));
			return;
		}
		const item = bullet.exec(line);
		if (item !== null) this.#entry(item[1]!);
		else {
			this.#list = undefined;
			this.#before = plain(line).slice(0, 2 * limits.label);
		}
		this.#stated(item?.[1] ?? line);
	}

	finish(): Statements {
		if (this.#table.length > 0) this.#endTable();
		return { rows: this.#rows, lists: this.#lists, tables: this.#tables };
	}

	#begin(level: number, title: string): void {
		this.#list = undefined;
		this.#heading = title;
		this.#before = title;
		if (this.#skipped !== undefined && level > this.#skipped) return;
		this.#skipped = level > 1 && elsewhere.test(title) ? level : undefined;
	}

	/** `Term`, and below it `: what it is`. */
	#definition(text: string): void {
		if (this.#before !== undefined) this.#add(this.#before, text, 'definition');
	}

	#entry(text: string): void {
		if (this.#list === undefined && this.#before !== undefined) {
			const label = labelForm(this.#before);
			this.#list = { label, entries: [], at: `list: ${this.#before.replace(/:$/, '')}` };
			if (label !== '') put(this.#lists, label, this.#list);
		}
		this.#before = undefined;
		if (this.#list !== undefined && this.#list.entries.length < limits.entries) this.#list.entries.push(plain(text));
	}

	/** `Label: value`, several of them between bars or dots. */
	#stated(line: string): void {
		if (!/[:：]/.test(line)) return;
		const pieces = line.split(/\s+(?:\\?\||·|•)\s+/);
		const all = pieces.length > 1 && pieces.every((piece) => labelled.test(withoutMarks(piece))) ? pieces : [line];
		for (const piece of all) {
			const [, label, value] = labelled.exec(withoutMarks(piece)) ?? [];
			if (label !== undefined && value !== undefined) this.#add(label, value, 'line');
		}
	}

	#endTable(): void {
		const rows = this.#table;
		this.#table = [];
		this.#before = undefined;
		const rule = rows.findIndex((cells) => cells.every((cell) => /^:?-+:?$/.test(cell)));
		const head = rule > 0 ? (rows[rule - 1] ?? []) : [];
		const body = rows.filter((_, index) => index !== rule && (head.length === 0 || index !== rule - 1));
		const hasHead = head.some((cell) => cell !== '');
		if (hasHead && body.length > 0) this.#tables.push({ head: head.map(plain), rows: body, heading: this.#heading });
		if (head.length === 2 || body[0]?.length === 2)
			for (const [label = '', value = ''] of body) this.#add(label, value, 'table');
		else if (hasHead && body.length === 1)
			for (const [index, label] of head.entries()) this.#add(label, body[0]?.[index] ?? '', 'table');
	}

	#add(written: string, value: string, kind: string): void {
		const label = plain(written).replace(/\s*[:：]$/, '');
		const text = plain(value);
		if (label === '' || text === '' || label.length > limits.label || this.#count++ >= limits.statements) return;
		put(this.#rows, labelForm(label), { label: labelForm(label), text, href: hrefIn(value), at: `${kind}: ${label}` });
	}
}

/** A label of a few words, a colon, and what is stated; not `12:30`, not `https://`. */
const labelled = /^\s*([\p{L}][^:：]{0,58}?)\s*(?:[:：]\s+|[:：](?=[^\s/\d:：])|：)(\S.*)$/u;

/** Emphasis gone, so that `**Weight:** 5 kg` is `Weight: 5 kg`. */
const withoutMarks = (text: string): string => text.replace(/\*\*|__/g, '');

function cellsOf(line: string): string[] {
	return line
		.trim()
		.replace(/^\||\|$/g, '')
		.split(/(?<!\\)\|/)
		.slice(0, 50)
		.map((cell) => cell.trim());
}

const hrefIn = (text: string): string | undefined =>
	/\]\((?:<([^>]{1,2000})>|([^()\s]{1,2000}))/.exec(text)?.slice(1).find(Boolean);

/** Text without the marks of Markdown. Text that is struck out is gone. */
export function plain(text: string): string {
	return (
		text
			.replace(/~~[^~]*~~/g, ' ')
			.replace(/!\[[^[\]]*\]\([^()]*\)/g, ' ')
			.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
			.replace(/<br\s*\/?>/g, ' ')
			.replace(/\*\*|__|`/g, '')
			// The asterisks of emphasis: before a character, or behind one.
			.replace(/(?<![\\\p{L}\p{N}*])\*(?=\S)|(?<=[^\s\\])\*(?![\p{L}\p{N}*])/gu, '')
			.replace(/\\([^\p{L}\p{N}\s])/gu, '$1')
			.replace(/\s+/g, ' ')
			.replace(/\s*\\$/, '')
			.trim()
	);
}

function put<T>(into: Map<string, T[]>, key: string, value: T): void {
	const known = into.get(key);
	if (known === undefined) into.set(key, [value]);
	else known.push(value);
}
