import { explainYamlError, nearestWord } from '@wayleave/io/messages';
import { textOf } from '@wayleave/protocols';
import { isMap, isScalar, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import { readFrom } from '../shared/options/read-named.ts';
import { UsageError } from '../terminal/command.ts';

/** The section of a file that has the options of the commands that fetch. */
export interface SettingsFile {
	readonly path: string;
	get(key: string): { readonly value: unknown; readonly where: string; readonly folder: string } | undefined;
}

interface Place {
	readonly path: string;
	/** As it is called in messages. */
	readonly name: string;
	/** The file of the user has this section and nothing else; that of a folder is the policy of a site too. */
	readonly ofUser: boolean;
}

const section = 'crawl';

/** @throws UsageError with the place of each mistake, FileError */
export async function readSettingsFile(
	{ path, name, ofUser }: Place,
	keys: readonly string[],
	keysOfAll: () => Promise<readonly string[]>,
): Promise<SettingsFile> {
	const lines = new LineCounter();
	const document = parseDocument(textOf(readFrom(path, name)), { lineCounter: lines, uniqueKeys: true });
	const at = (offset: number | undefined) => {
		if (offset === undefined) return name;
		const { line, col } = lines.linePos(offset);
		return `${name}:${line}:${col}`;
	};
	const [syntax] = document.errors;
	if (syntax !== undefined) throw mistakes([`${at(syntax.pos[0])}: ${explainYamlError(syntax)}`]);
	const wrong = topLevelMistakes(document.contents, ofUser, at);
	const values = sectionOf(document.contents);
	const found = new Map<string, { value: unknown; where: string; folder: string }>();
	if (values !== undefined && !isMap(values)) {
		wrong.push(`${at(values.range?.[0])}: ${section}: expected keys with their values: botUrl, delay, use, …`);
	} else {
		const unknown: { key: string; where: string }[] = [];
		for (const { key, written, node, value } of entriesOf(values)) {
			const where = `${at(node?.range?.[0])}: ${section}.${written}`;
			if (found.has(key)) wrong.push(`${where}: the key appears twice: keep one`);
			found.set(key, { value, where, folder: '' });
			if (!keys.includes(key)) unknown.push({ key, where });
		}
		const known = unknown.length === 0 ? [] : await keysOfAll();
		for (const { key, where } of unknown) {
			if (known.includes(key)) continue;
			const suggestion = nearestWord(key, known);
			wrong.push(`${where}: unknown key${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`);
		}
	}
	if (wrong.length > 0) throw mistakes(wrong);
	return { path, get: (key) => found.get(key) };
}

const mistakes = (sentences: readonly string[]) => new UsageError(sentences.join('\n'), { code: 'invalid-config' });

function sectionOf(contents: Node | null): Node | undefined {
	if (!isMap(contents)) return undefined;
	const value = (contents as YAMLMap<unknown, Node | null>).items.find(({ key }) => nameOf(key) === section)?.value;
	// `crawl:` with nothing below it says nothing.
	return value === null || (isScalar(value) && value.value === null) ? undefined : value;
}

function topLevelMistakes(contents: Node | null, ofUser: boolean, at: (offset?: number) => string): string[] {
	if (contents === null) return [];
	if (!isMap(contents)) return [`${at(contents.range?.[0])}: expected keys with their values: ${section}`];
	return contents.items.flatMap(({ key }) => {
		const name = nameOf(key);
		if (name === section) return [];
		const suggestion = nearestWord(name, [section]);
		// The other keys of a policy file are the gateway's to check.
		if (!ofUser && suggestion === undefined) return [];
		const hint = suggestion === undefined ? `, only ${section}` : `; did you mean ${suggestion}?`;
		return [`${at((key as Node).range?.[0])}: ${name}: unknown key${hint}`];
	});
}

const nameOf = (key: unknown): string => String(isScalar(key) ? key.value : key);

/** `bot-url`, as the flag is written, is `botUrl` too. */
function entriesOf(map: YAMLMap | undefined) {
	return (map?.items ?? []).map(({ key, value }) => {
		const written = nameOf(key);
		return {
			written,
			key: written.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
			node: key as Node | undefined,
			value: (value as Node | null)?.toJSON() as unknown,
		};
	});
}
