import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname, resolve } from 'node:path';
import {
	type Config,
	createStudio,
	maxStudioBody,
	PolicyFile,
	parseConfig,
	type RunningGateway,
	tooLarge,
} from '@wayleave/gateway';
import { makePrivateFile, makePrivateFolder } from '@wayleave/io/files';
import { fileError } from '@wayleave/io/messages';
import type { PolicyFile as NamedPolicyFile } from '../../shared/options/policy-file.ts';
import { readNamed } from '../../shared/options/read-named.ts';
import { type Terminal, UsageError } from '../../terminal/command.ts';
import type { GatewayFlags } from './flags.ts';
import { checkedKey, readBody } from './sign-in.ts';

export type Studio = ReturnType<typeof createStudio>;

/** The key's own variable, for containers that get secrets that way. */
const keyVariable = 'WAYLEAVE_STUDIO_KEY';

export interface OpenStudioOptions {
	readonly running: RunningGateway;
	readonly policy: NamedPolicyFile;
	readonly flags: Pick<GatewayFlags, 'studioKey'>;
	readonly terminal: Terminal;
	/** A policy as this gateway uses it, with its stores named whole. */
	complete(config: Config): Config;
	reload(): Promise<void>;
}

/** The studio over the policy file of a gateway, and where its key is. @throws UsageError, FileError */
export function openStudio(options: OpenStudioOptions): { readonly studio: Studio; readonly note: string | undefined } {
	const { running, policy, flags, terminal, complete, reload } = options;
	const file =
		policy.name === undefined
			? 'this gateway runs without a policy file: write one with wayleave init, and start the gateway with --config FILE'
			: new PolicyFile({
					path: resolve(terminal.cwd, policy.name),
					name: policy.name,
					history: resolve(policy.base, '.wayleave/policy'),
				});
	const isEditable = typeof file !== 'string' && file.readOnly() === undefined;
	const { key, note } = isEditable
		? keyOf(flags, policy.base, terminal)
		: { key: 'its policy file cannot be edited here', note: undefined };
	const studio = createStudio({
		running,
		file,
		read: (text) => complete(parseConfig(text, policy.name)),
		reload,
		key: typeof key === 'string' ? key : { value: key.value },
	});
	return { studio, note };
}

interface FoundKey {
	readonly key: { readonly value: string } | string;
	/** Where the operator finds it. */
	readonly note: string | undefined;
}

/** The key in the environment, in the named file, or in a file that is made at the first start. */
function keyOf({ studioKey }: Pick<GatewayFlags, 'studioKey'>, base: string, terminal: Terminal): FoundKey {
	const own = terminal.env[keyVariable];
	if (own) return { key: { value: checked(own.trim(), keyVariable) }, note: `key in ${keyVariable}` };
	if (studioKey !== undefined) {
		const value = readNamed(studioKey, terminal).toString().trim();
		return { key: { value: checked(value, `--studio-key ${studioKey}`) }, note: `key in ${studioKey}` };
	}
	const path = resolve(base, usualKeyFile);
	try {
		return { key: { value: checked(madeKey(path), path) }, note: `key in ${path}` };
	} catch (error) {
		if (error instanceof UsageError) throw error;
		const cause = fileError(error, path, 'write');
		const why = cause instanceof Error ? cause.message : String(cause);
		return {
			key: `${why}: name a file with a key by --studio-key, or set ${keyVariable}, to publish here`,
			note: undefined,
		};
	}
}

/** From the folder of the policy file. */
export const usualKeyFile = '.wayleave/studio.key';

function madeKey(path: string): string {
	makePrivateFolder(dirname(path));
	makePrivateFile(path);
	const known = readFileSync(path, 'utf8').trim();
	if (known !== '') return known;
	const key = randomBytes(24).toString('base64url');
	writeFileSync(path, `${key}\n`);
	return key;
}

const checked = (key: string, where: string): string => checkedKey(key, where, 'the key of the policy studio');

/** Whether a request is for the studio, and brings a key that the studio checks itself. */
export function hasStudioKey(request: IncomingMessage): boolean {
	return request.headers.authorization !== undefined && isForStudio(urlOf(request));
}

// As the URL is resolved: `api/studio/../overview` is not for the studio.
const urlOf = ({ url, headers }: IncomingMessage): URL => new URL(url ?? '/', `http://${headers.host}`);
const isForStudio = ({ pathname }: URL): boolean => pathname.startsWith('/.wayleave/api/studio/');

/**
 * Lets the studio respond. Undefined: the path is not its own.
 *
 * @param isLetIn the caller is on this machine, or has signed in
 */
export async function respondByStudio(
	studio: Studio,
	request: IncomingMessage,
	isLetIn: boolean,
): Promise<Response | undefined> {
	const url = urlOf(request);
	if (!isForStudio(url)) return undefined;
	const method = request.method ?? 'GET';
	const headers = new Headers(
		['authorization', 'content-type', 'origin', 'sec-fetch-site'].flatMap((name): [string, string][] => {
			const value = request.headers[name];
			return typeof value === 'string' ? [[name, value]] : [];
		}),
	);
	if (method === 'GET' || method === 'HEAD') return studio(new Request(url, { method, headers }), { isLetIn });
	const body = await readBody(request, maxStudioBody);
	return body === undefined ? tooLarge() : studio(new Request(url, { method, headers, body }), { isLetIn });
}
