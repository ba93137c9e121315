import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licences of the packages that these files belong to, as a text. @throws Error for a package without a licence */
export function notices(files: readonly string[], root: string): string {
	const folders = files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? []);
	const parts = [...new Set(folders)].sort().map((folder) => notice(join(root, folder)));
	return `The files beside this one contain these packages.\n\n${parts.join('\n')}`;
}

function notice(folder: string): string {
	const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		name: string;
		version: string;
		license?: string;
	};
	const texts = readdirSync(folder)
		.filter((file) => /^(?:licen[cs]e|notice|copying)(?:\.(?:md|txt))?$/i.test(file))
		.map((file) => readFileSync(join(folder, file), 'utf8').trim());
	if (texts.length === 0) throw new Error(`${name} ${version} contains no licence text`);
	const title = `${name} ${version} (${license ?? 'see below'})`;
	return `${title}\n${'='.repeat(title.length)}\n\n${texts.join('\n\n')}\n`;
}
