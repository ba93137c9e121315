import { pathToFileURL } from 'node:url';
import { sourceProgram } from './source-program.ts';

/** In place of `source-entry.ts` of `@wayleave/files` in tests: a process that reads files starts from the bundle. */
export function entryBeside(name: string): { readonly url: URL; readonly isSource: boolean } {
	return { url: pathToFileURL(sourceProgram(`${name}.ts`)), isSource: false };
}
