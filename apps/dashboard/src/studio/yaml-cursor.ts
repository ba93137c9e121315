/** Where a cursor stands in a YAML file. */
export interface YamlCursor {
	/** The keys around it; `[]` stands for an item of a list. */
	readonly path: readonly string[];
	readonly kind: 'key' | 'value';
	/** The part of the word before the cursor. */
	readonly typed: string;
}

interface Block {
	readonly indent: number;
	readonly key: string;
}

interface Flow {
	readonly isMap: boolean;
	key: string | undefined;
}

/** A key at the beginning of a line, quoted or not. */
const keyAtStart = /^(?:"([^"]*)"|'([^']*)'|([^\s:#,[\]{}"'][^:#,[\]{}"']*?))\s*:(?=\s|$)/;

/**
 * Reads as much of a policy file as tells where the cursor is. It has to do for text that is half typed, so it is no
 * parser: block keys by their indentation, then what is open of `{` and `[`. Undefined in a comment.
 */
export function cursorIn(text: string, offset: number): YamlCursor | undefined {
	const blocks: Block[] = [];
	const flows: Flow[] = [];
	const lines = text.slice(0, offset).split('\n');
	const last = lines.pop() ?? '';
	for (const line of lines) readLine(line, blocks, flows);
	return readLine(last, blocks, flows);
}

function readLine(line: string, blocks: Block[], flows: Flow[]): YamlCursor | undefined {
	if (flows.length > 0) return readFlow(line, blocks, flows);
	const content = line.trimStart();
	let indent = line.length - content.length;
	if (content.startsWith('#')) return undefined;
	// An empty line says nothing about the block it is in, except where the cursor is.
	let rest = content;
	let isItem = false;
	while (/^-(?:\s|$)/.test(rest)) {
		leave(blocks, indent + 1);
		const inner = rest.slice(1).trimStart();
		blocks.push({ indent, key: '[]' });
		indent += rest.length - inner.length;
		rest = inner;
		isItem = true;
	}
	if (rest === '' && !isItem)
		return { path: pathOf(blocks.filter((block) => block.indent < indent)), kind: 'key', typed: '' };
	if (!isItem) leave(blocks, indent);
	const found = keyAtStart.exec(rest);
	if (found === null) {
		if (/^[[{]/.test(rest)) return readFlow(rest, blocks, flows);
		return { path: pathOf(blocks), kind: isItem ? 'value' : 'key', typed: rest };
	}
	blocks.push({ indent, key: (found[1] ?? found[2] ?? found[3] ?? '').trim() });
	return readFlow(rest.slice(found[0].length), blocks, flows);
}

/** Ends the blocks that a line with this indentation is not in. */
function leave(blocks: Block[], indent: number): void {
	while ((blocks.at(-1)?.indent ?? -1) >= indent) blocks.pop();
}

function readFlow(text: string, blocks: readonly Block[], flows: Flow[]): YamlCursor | undefined {
	let word = '';
	let quote = '';
	for (const [at, letter] of [...text].entries()) {
		const next = text[at + 1];
		if (quote !== '') {
			if (letter === quote) quote = '';
			else word += letter;
		} else if ((letter === '"' || letter === "'") && word.trim() === '') {
			quote = letter;
			word = '';
		} else if (letter === '#' && (at === 0 || /\s/.test(text[at - 1] ?? ''))) return undefined;
		else if (letter === '{' || letter === '[') {
			flows.push({ isMap: letter === '{', key: undefined });
			word = '';
		} else if ((letter === '}' || letter === ']') && flows.length > 0) {
			flows.pop();
			word = '';
		} else if (letter === ',' && flows.length > 0) {
			const top = flows.at(-1);
			if (top?.isMap) top.key = undefined;
			word = '';
		} else if (
			letter === ':' &&
			flows.at(-1)?.isMap &&
			flows.at(-1)?.key === undefined &&
			(next === undefined || /\s/.test(next))
		) {
			const top = flows.at(-1);
			if (top !== undefined) top.key = word.trim();
			word = '';
		} else word += letter;
	}
	const top = flows.at(-1);
	const path = [
		...pathOf(blocks),
		...flows.flatMap(({ isMap, key }) => (isMap ? (key === undefined ? [] : [key]) : ['[]'])),
	];
	return { path, kind: top?.isMap && top.key === undefined ? 'key' : 'value', typed: word.trimStart() };
}

const pathOf = (blocks: readonly Block[]): string[] => blocks.map(({ key }) => key);
