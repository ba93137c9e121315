import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Config, ConfigError, checkConfig, loadConfig } from '@wayleave/gateway';
import { FileError } from '@wayleave/io/messages';
import { misspeltToken } from '@wayleave/protocols/identity';
import { parseUrl } from '@wayleave/protocols/url';
import { type Terminal, UsageError } from '../../terminal/command.ts';
import { defaultPolicyFile } from './defaults.ts';

export interface ConfigFlags {
	config?: string;
	origin?: string;
}

/** `--config FILE` may be missing (3); that no file was named is wrong usage (2). */
const noPolicyFile = `${defaultPolicyFile} does not exist: name a policy file with --config, or write one with wayleave init`;

export interface PolicyFile {
	readonly config: Config;
	/** As it was named; undefined if there is no file and defaults apply. */
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
		tellMisspeltTokens(config, name, terminal);
		return { config: origin === undefined ? config : { ...config, origin }, name, base: dirname(path) };
	} catch (error) {
		if (error instanceof FileError) throw new FileError(error.code, name, error.message.slice(path.length + 2));
		if (error instanceof ConfigError)
			throw new UsageError(error.message.replaceAll(path, name), { code: error.code, cause: error });
		throw error;
	}
}

/** An agent that no catalogue knows may well exist: a token that looks misspelt is only remarked on. */
function tellMisspeltTokens({ paths, ask, identity }: Config, name: string, terminal: Terminal): void {
	const asked = Object.entries(ask).flatMap(([use, rules]) =>
		[rules ?? []].flat().flatMap(({ agents = [] }) => agents.map((token) => ({ at: `ask.${use}.agents`, token }))),
	);
	const named = Object.keys(paths.agents ?? {}).map((token) => ({ at: 'paths.agents', token }));
	const own = new Set(identity.agents.map(({ token }) => token.toLowerCase()));
	for (const { at, token } of [...named, ...asked]) {
		const suggestion = own.has(token.toLowerCase()) ? undefined : misspeltToken(token);
		if (suggestion !== undefined)
			terminal.note(`${name}: ${at}: ${token} is not in the catalogue of agents; did you mean ${suggestion}?\n`);
	}
}

function originOf(text: string): string {
	const url = parseUrl(text);
	if (url === undefined || !/^https?:$/.test(url.protocol))
		throw new UsageError(`--origin ${text} is not an http or https URL`);
	return url.origin;
}
