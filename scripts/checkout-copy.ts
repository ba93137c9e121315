import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Whether this folder is a checkout that `git` can list; a downloaded archive is not. */
export const isCheckout = existsSync(join(root, '.git'));

/**
 * Copies the files that a commit of this checkout would contain to `folder`: what a clone has, without anything built.
 * The dependencies are linked, so that no network is needed; `npm run test:install` installs them instead.
 */
export function copyCheckout(folder: string): void {
	const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
	const files = listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name)));
	for (const name of files) cpSync(join(root, name), join(folder, name), { preserveTimestamps: false });
	linkDependencies(join(root, 'node_modules'), join(folder, 'node_modules'), folder);
}

/** Links every package but our own, which are those of the copy. */
function linkDependencies(from: string, to: string, copy: string): void {
	mkdirSync(to, { recursive: true });
	for (const name of readdirSync(from)) {
		if (name.startsWith('.') || name === 'wayleave' || name === '@wayleave') continue;
		symlinkSync(join(from, name), join(to, name), 'junction');
	}
	for (const name of readdirSync(join(copy, 'packages'))) {
		const link = join(to, name === 'wayleave' ? name : `@wayleave/${name}`);
		mkdirSync(dirname(link), { recursive: true });
		symlinkSync(join(copy, 'packages', name), link, 'junction');
	}
}
