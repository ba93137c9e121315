import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';

// Promised in docs/explanation/security.md: every map, set and cache that outlives a request is listed there with its bound.

const root = join(import.meta.dirname, '..');

/** A field of a class or a constant of a module that holds entries; those that nobody writes to are typed as such. */
const keeps =
	/^(?:const|let|\t(?:(?:private|protected|public|static|readonly|declare) )*(?:#?\w+))\b(?!.*\bReadonly(?:Set|Map)\b).*= new (?:Map|Set|WeakMap|WeakSet|LRUCache|BoundedMap)\b/m;
const isField = /^\t(?:(?:private|static|readonly) )|^\t#|^(?:const|let) /;

function filesThatKeep(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing\//.test(name))
		.filter((name) => {
			const lines = readFileSync(join(root, folder, name), 'utf8').split('\n');
			return lines.some((line) => isField.test(line) && keeps.test(line));
		})
		.map((name) => relative('', name));
}

const listed = readFileSync(join(root, 'docs/explanation/security.md'), 'utf8');

it.each([['packages/gateway/src'], ['packages/io/src'], ['packages/service/src'], ['packages/mcp/src']])(
	'docs/explanation/security.md lists what %s keeps in memory, with its bound',
	(folder) => {
		const found = filesThatKeep(folder);
		expect(found.length).toBeGreaterThan(0);
		const missing = found.filter((name) => !listed.includes(`\`${name}\``));
		expect(missing, 'add a row with key and bound to docs/explanation/security.md').toEqual([]);
	},
);
