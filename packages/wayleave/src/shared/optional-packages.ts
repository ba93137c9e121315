import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../terminal/package-files.ts';
import { version } from '../terminal/version.ts';

/** Packages that only some commands need; `wayleave` does not install them. */
export type OptionalPackage = '@wayleave/service' | '@wayleave/mcp';

/** A command needs a package that is not installed. */
export class MissingPackageError extends Error {
	readonly code = 'package-missing';

	constructor(command: string, name: OptionalPackage) {
		super(`wayleave ${command} needs the package ${name}: run ${installCommand(command, name)}`);
		this.name = 'MissingPackageError';
	}
}

/**
 * Loads code that imports an optional package.
 *
 * @throws MissingPackageError when the package is not installed
 */
export async function withPackage<Module>(
	name: OptionalPackage,
	command: string,
	load: () => Promise<Module>,
): Promise<Module> {
	try {
		return await load();
	} catch (error) {
		if (isMissing(error, name)) throw new MissingPackageError(command, name);
		throw error;
	}
}

/** Whether an import failed because this package is not installed, and not because of a package that it needs itself. */
export function isMissing(error: unknown, name: OptionalPackage): boolean {
	const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
	return code === 'ERR_MODULE_NOT_FOUND' && typeof message === 'string' && message.includes(`'${name}'`);
}

/** The command that puts the package where this installation of `wayleave` finds it. */
export function installCommand(command: string, name: OptionalPackage, folder: string = packageFile('')): string {
	const wanted = `${name}@${version}`;
	const [, home = ''] = /^(.*)[\\/]node_modules[\\/]wayleave[\\/]?$/.exec(folder) ?? [];
	if (/[\\/]_npx[\\/]/.test(folder)) return `npx -p wayleave@${version} -p ${wanted} wayleave ${command}`;
	// A global installation has no package.json beside its node_modules.
	const isGlobal = home !== '' && !existsSync(join(home, 'package.json'));
	return `npm install ${isGlobal ? '-g ' : ''}${wanted}`;
}
