import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMap, LineCounter, type Node, parseDocument } from 'yaml';
import type { z } from 'zod';
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
		const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
		return checked(module.default, file, () => undefined);
	}
	return parseConfig(readFileSync(path, 'utf8'), file);
}

/** Reads the text of a YAML or JSON policy file. @throws ConfigError */
export function parseConfig(text: string, file = 'wayleave.config.yaml'): Config {
	const lines = new LineCounter();
	const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
	if (document.errors.length > 0) {
		throw new ConfigError(
			document.errors.map((error) => {
				const { line, col } = lines.linePos(error.pos[0]);
				return { file, line, column: col, path: '', message: error.message.split('\n')[0]!.replace(/ at line.*$/, '') };
			}),
		);
	}
	return checked(document.toJS(), file, (path) => {
		const offset = offsetOf(document.contents, path);
		return offset === undefined ? undefined : lines.linePos(offset);
	});
}

/** Checks a policy that was made in code. @throws ConfigError */
export function checkConfig(config: unknown): Config {
	return checked(config, 'config', () => undefined);
}

type Place = (path: readonly PropertyKey[]) => { line: number; col: number } | undefined;

function checked(value: unknown, file: string, place: Place): Config {
	const result = configSchema.safeParse(value);
	if (result.success) return result.data;
	throw new ConfigError(result.error.issues.flatMap((issue) => problemsOf(issue, file, place)));
}

function problemsOf(issue: z.core.$ZodIssue, file: string, place: Place): ConfigProblem[] {
	const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
	return keys.map((key) => {
		const path = key === undefined ? issue.path : [...issue.path, key];
		const at = place(path);
		return {
			file,
			line: at?.line ?? 0,
			column: at?.col ?? 0,
			path: path.map(String).join('.'),
			message: key === undefined ? issue.message : 'there is no such key',
		};
	});
}

/** Where the value at a path stands; where it does not exist, the nearest thing around it; for a key the key itself. */
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
	return `${place}: ${path === '' ? '' : `${path}: `}${message}`;
}
