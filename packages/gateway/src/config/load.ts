import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { explainSchemaIssue, explainYamlError, fileError } from '@wayleave/io/messages';
import { decodeUtf16 } from '@wayleave/protocols';
import { isMap, LineCounter, type Node, parseDocument } from 'yaml';
import { findMistakes } from './mistakes.ts';
import { type Config, configSchema } from './schema.ts';

/** One thing that is wrong with a policy file. `line` and `column` count from 1; 0 where the format has no lines. */
export interface ConfigProblem {
	readonly file: string;
	readonly line: number;
	readonly column: number;
	/** `policy.train` */
	readonly path: string;
	readonly message: string;
}

/** A policy file that cannot be used: all that is wrong with it, each with its place. */
export class ConfigError extends Error {
	readonly code = 'invalid-config';
	readonly problems: readonly ConfigProblem[];

	constructor(problems: readonly ConfigProblem[]) {
		super(problems.map(describe).join('\n'));
		this.name = 'ConfigError';
		this.problems = problems;
	}
}

/**
 * Reads a policy file: YAML, JSON, or a module whose default export is one.
 *
 * @throws ConfigError with the place of everything that is wrong.
 */
export async function loadConfig(file: string): Promise<Config> {
	const path = resolve(file);
	if (extname(path) === '.mjs' || extname(path) === '.js') {
		return checked(await loadModule(path, file), file, () => undefined);
	}
	return parseConfig(readText(path, file), file);
}

/** @throws FileError */
function readText(path: string, file: string): string {
	try {
		const bytes = readFileSync(path);
		// Some shells of Windows write UTF-16.
		return decodeUtf16(bytes) ?? bytes.toString('utf8');
	} catch (error) {
		throw fileError(error, file, 'read');
	}
}

async function loadModule(path: string, file: string): Promise<unknown> {
	// A folder or a missing file gets the same sentence here as under every other name.
	readText(path, file);
	const wrong = (message: string) => new ConfigError([{ file, line: 0, column: 0, path: '', message }]);
	let module: { default?: unknown };
	try {
		module = (await import(pathToFileURL(path).href)) as typeof module;
	} catch (error) {
		throw wrong(`the module cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
	}
	if (module.default === undefined) throw wrong('the module must export the policy as its default export');
	return module.default;
}

/** Reads the text of a YAML or JSON policy file. @throws ConfigError */
export function parseConfig(text: string, file = 'wayleave.config.yaml'): Config {
	const lines = new LineCounter();
	const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
	if (document.errors.length > 0) {
		// Later mistakes are often only consequences of the first.
		const [first, ...others] = document.errors;
		const twice = others.filter(({ code }) => code === 'DUPLICATE_KEY');
		throw new ConfigError(
			[...(first === undefined ? [] : [first]), ...twice].map((error) => {
				const { line, col } = lines.linePos(error.pos[0]);
				return { file, line, column: col, path: '', message: explainYamlError(error) };
			}),
		);
	}
	return checked(contentOf(document, file), file, (path) => {
		const offset = offsetOf(document.contents, path);
		return offset === undefined ? undefined : lines.linePos(offset);
	});
}

/** Checks a policy that was made in code. @throws ConfigError */
export function checkConfig(config: unknown): Config {
	return checked(config, 'config', () => undefined);
}

/** Aliases of aliases would make gigabytes of a few lines. */
function contentOf(document: ReturnType<typeof parseDocument>, file: string): unknown {
	try {
		return document.toJS();
	} catch (error) {
		const tooMuch = error instanceof Error && /excessive/i.test(error.message);
		const message = tooMuch ? 'its aliases (*name) expand to too much data' : explainYamlError({ code: 'BAD_ALIAS' });
		throw new ConfigError([{ file, line: 0, column: 0, path: '', message }]);
	}
}

type Place = (path: readonly PropertyKey[]) => { line: number; col: number } | undefined;

function checked(value: unknown, file: string, place: Place): Config {
	const result = configSchema.safeParse(value, { error: explainSchemaIssue });
	if (result.success) return result.data;
	const problems = findMistakes(value).map(({ path, message }) => {
		const at = place(path);
		return { file, line: at?.line ?? 0, column: at?.col ?? 0, path: path.map(String).join('.'), message };
	});
	throw new ConfigError(problems.sort((a, b) => a.line - b.line || a.column - b.column));
}

/** Offset of the value at a path; if missing, of the nearest node around it; for a key, of the key. */
function offsetOf(root: Node | null, path: readonly PropertyKey[]): number | undefined {
	let node: unknown = root;
	let offset = root?.range?.[0];
	for (const step of path) {
		if (isMap(node)) {
			const pair = node.items.find(
				(item) => String((item.key as { value?: unknown })?.value ?? item.key) === String(step),
			);
			if (pair === undefined) return offset;
			offset = (pair.key as Node).range?.[0] ?? offset;
			node = pair.value;
		} else {
			const item = (node as { items?: unknown[] } | null)?.items?.[Number(step)];
			if (item === undefined) return offset;
			node = item;
			offset = (item as Node).range?.[0] ?? offset;
		}
	}
	return offset;
}

function describe({ file, line, column, path, message }: ConfigProblem): string {
	const place = line > 0 ? `${file}:${line}:${column}` : file;
	if (path === '') return `${place}: ${message}`;
	return `${place}: ${path}${message.startsWith('is missing') ? ' ' : ': '}${message}`;
}
