import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageFile } from '@wayleave/io/listen';
import { packageFile } from '../terminal/package-files.ts';
import { mediaTypeOf } from './media-types.ts';

/** The pages, built beside the program. */
const built = packageFile('dashboard');

/** The files of the pages by name; undefined where they have not been built. */
export function readDashboardFiles(folder = built): ReadonlyMap<string, PageFile> | undefined {
	if (!existsSync(join(folder, 'index.html'))) return undefined;
	return new Map(
		readdirSync(folder).flatMap((name): [string, PageFile][] => {
			const type = mediaTypeOf(name);
			return type === undefined ? [] : [[name, { type, body: new Uint8Array(readFileSync(join(folder, name))) }]];
		}),
	);
}
