import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DashboardFile } from '@wayleave/gateway';

/** The page, built beside the program. */
const built = fileURLToPath(new URL('../../dashboard/', import.meta.url));

const mediaTypes: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml',
};

/** The files of the dashboard by name; undefined where it has not been built. */
export function readDashboardFiles(folder = built): ReadonlyMap<string, DashboardFile> | undefined {
	if (!existsSync(join(folder, 'index.html'))) return undefined;
	const names = readdirSync(folder).filter((name) => extname(name) in mediaTypes);
	return new Map(
		names.map((name) => [
			name,
			{ type: mediaTypes[extname(name)]!, body: new Uint8Array(readFileSync(join(folder, name))) },
		]),
	);
}
