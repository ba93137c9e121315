import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Config, ConfigError, checkConfig, loadConfig } from '@wayleave/gateway';
import { FileError } from '@wayleave/io/messages';
import { parseUrl } from '@wayleave/protocols/url';
import { type Terminal, UsageError } from '../command.ts';
import { defaultPolicyFile } from './defaults.ts';

export interface ConfigFlags {
	config?: string;
	origin?: string;
}

/** `--config FILE` may be missing (3); that no file was named is wrong usage (2). */
const noPolicyFile = `there is no ${defaultPolicyFile}: name one with --config, or write one with wayleave init`;

export interface PolicyFile {
	readonly config: Config;
	/** As it was named; undefined where there is none and defaults hold. */
	readonly name: string | undefined;
	/** The folder that its paths start from. */
	readonly base: string;
}

/**
 * The policy file that was named, or the one in the working folder; without either, defaults for `--origin`.
 *
 * @throws UsageError with the place of everything that is wrong in it
 */
export async function readPolicyFile(flags: ConfigFlags, terminal: Terminal): Promise<PolicyFile> {
	const origin = flags.origin === undefined ? undefined : originOf(flags.origin);
	const name = flags.config ?? (existsSync(resolve(terminal.cwd, defaultPolicyFile)) ? defaultPolicyFile : undefined);
	if (name === undefined) {
		if (origin === undefined) throw new UsageError(noPolicyFile);
		return { config: checkConfig({ origin }), name, base: terminal.cwd };
	}
	const path = resolve(terminal.cwd, name);
	try {
		const config = await loadConfig(path);
		return { config: origin === undefined ? config : { ...config, origin }, name, base: dirname(path) };
	} catch (error) {
		if (error instanceof FileError) throw new FileError(error.code, name, error.message.slice(path.length + 2));
		if (error instanceof ConfigError)
			throw new UsageError(error.message.replaceAll(path, name), { code: error.code, cause: error });
		throw error;
	}
}

function originOf(text: string): string {
	const url = parseUrl(text);
	if (!/^https?:$/.test(url?.protocol ?? '')) throw new UsageError(`--origin ${text} is not an http or https URL`);
	return url!.origin;
}
