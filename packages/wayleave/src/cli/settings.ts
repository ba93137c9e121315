import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { oneOf } from '@wayleave/io/messages';
import { type Command, InvalidArgumentError, type Option } from 'commander';
import { defaultPolicyFile } from '../shared/options/defaults.ts';
import { userFolder } from '../shared/options/user-folder.ts';
import { type Terminal, UsageError } from '../terminal/command.ts';
import { pathOf } from '../terminal/misuse.ts';
import { clients, fetchers, storeUsers, userSettingsFile, word } from './setting-commands.ts';
import type { SettingsFile } from './settings-file.ts';

/** Identity and pace: options of every command that fetches. */
const client: ReadonlySet<string> = new Set([
	'contact',
	'botUrl',
	'botName',
	'signKey',
	'keyDirectory',
	'delay',
	'iOwnThisSite',
	'maxPause',
	'pauseCap',
	'proxy',
	'header',
	'cookieFile',
]);

/** Options whose name means something else in another command. */
const crawlOnly: ReadonlySet<string> = new Set(['scope', 'budget', 'concurrency', 'metrics']);

/** Options that belong to one run. */
const perRun: ReadonlySet<string> = new Set([
	'seeds',
	'out',
	'json',
	'quiet',
	'verbose',
	'help',
	'url',
	'format',
	'stdinName',
	'refresh',
	'forceRefresh',
]);

/** Files are named from where their name is written. */
const files: ReadonlySet<string> = new Set(['signKey', 'cookieFile', 'chromium']);

/** Settings of which one takes the place of the other. */
const rivals: Readonly<Record<string, string>> = { contact: 'botUrl', botUrl: 'contact' };

/** Variables that are read elsewhere. */
const otherVariables = ['WAYLEAVE_CHANGE_SECRET', 'WAYLEAVE_DEBUG', 'WAYLEAVE_SQLITE', 'WAYLEAVE_STUDIO_KEY'];

function applies(key: string, path: string): boolean {
	const command = word(path);
	if (perRun.has(key)) return false;
	if (key === 'store') return storeUsers.has(command);
	if (client.has(key)) return clients.has(command);
	return fetchers.has(command) && (command === 'crawl' || !crawlOnly.has(key));
}

/** `WAYLEAVE_BOT_URL` of `botUrl`. */
export const variableOf = (key: string): string =>
	`WAYLEAVE_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** One value, and where it is written. */
interface Setting {
	readonly value: unknown;
	/** `WAYLEAVE_DELAY`, or `wayleave.config.yaml:3:2: crawl.delay` */
	readonly where: string;
	/** That files are named from. */
	readonly folder: string;
}

type Source = (key: string) => Setting | undefined;

/**
 * Gives the options of a command that its command line does not have the values of, in this order: variables of the
 * environment, `crawl:` of the file of this folder, that of the user.
 *
 * @param keysOfAll the keys that any command takes, which are loaded only where a file has one that this command has not
 * @throws UsageError with everything that is wrong in the files, FileError
 */
export async function applySettings(
	command: Command,
	terminal: Terminal,
	keysOfAll: () => Promise<readonly string[]>,
): Promise<void> {
	const path = pathOf(command).replace(/^wayleave /, '');
	const options = optionsOf(command, path);
	const settingsFiles = await openFiles(terminal, [...options.keys()], keysOfAll);
	await tellStrangeVariables(terminal, await variablesKnown(terminal, [...options.keys()], keysOfAll));
	const sources: Source[] = [
		(key) => fromEnvironment(key, terminal),
		...settingsFiles.map(
			(file): Source =>
				(key) =>
					file.get(key),
		),
	];
	const taken = new Set<string>();
	for (const source of sources) {
		// Both of two rivals may come from one source; one of them that a better source has keeps out the other.
		const before = new Set(taken);
		for (const [key, option] of options) {
			const setting = source(key);
			if (setting === undefined || !isOpen(command, key, before) || taken.has(key)) continue;
			command.setOptionValueWithSource(key, read(option, setting, terminal), 'config');
			taken.add(key);
			if (terminal.verbose) terminal.note(`--${option.long?.replace(/^--(?:no-)?/, '')} from ${setting.where}\n`);
		}
	}
}

/** The options that settings give values to, by key; the positive form of those that have both. */
function optionsOf(command: Command, path: string): Map<string, Option> {
	const found = new Map<string, Option>();
	for (const option of command.options) {
		const key = option.attributeName();
		if (applies(key, path) && !found.has(key)) found.set(key, option);
	}
	// Stored copies are no source of a SOM document, and the command line did not ask for them.
	if (path === 'fetch' && command.opts<{ format?: string }>().format === 'som') found.delete('store');
	return found;
}

/** Whether neither the command line nor a better source has said it. */
function isOpen(command: Command, key: string, before: ReadonlySet<string>): boolean {
	return [key, rivals[key]].every(
		(each) => each === undefined || (command.getOptionValueSource(each) !== 'cli' && !before.has(each)),
	);
}

function fromEnvironment(key: string, { env, cwd }: Terminal): Setting | undefined {
	const where = variableOf(key);
	const value = env[where];
	return value === undefined || value === '' ? undefined : { value, where, folder: cwd };
}

async function openFiles(
	terminal: Terminal,
	keys: readonly string[],
	keysOfAll: () => Promise<readonly string[]>,
): Promise<SettingsFile[]> {
	const own = userFolder(terminal.env);
	const places = [
		{ path: resolve(terminal.cwd, defaultPolicyFile), name: defaultPolicyFile, ofUser: false },
		...(own === undefined
			? []
			: [{ path: join(own, userSettingsFile), name: join(own, userSettingsFile), ofUser: true }]),
	].filter(({ path }) => existsSync(path));
	if (places.length === 0) return [];
	const { readSettingsFile } = await import('./settings-file.ts');
	const opened = [];
	for (const place of places) opened.push(await readSettingsFile(place, keys, keysOfAll));
	return opened.map((file) => ({
		...file,
		get(key: string) {
			const found = file.get(key);
			return found && { ...found, folder: dirname(file.path) };
		},
	}));
}

/** All variables that mean something; loaded only where there is one that means nothing to this command. */
async function variablesKnown(
	{ env }: Terminal,
	keys: readonly string[],
	keysOfAll: () => Promise<readonly string[]>,
): Promise<ReadonlySet<string>> {
	const own = new Set([...keys.map(variableOf), ...otherVariables]);
	const strange = Object.keys(env).some((name) => name.startsWith('WAYLEAVE_') && !own.has(name));
	return strange ? new Set([...own, ...(await keysOfAll()).map(variableOf)]) : own;
}

/** A variable may belong to another program: it is remarked on where a letter makes it one of ours. */
async function tellStrangeVariables({ env, note }: Terminal, known: ReadonlySet<string>): Promise<void> {
	const strange = Object.keys(env).filter((name) => name.startsWith('WAYLEAVE_') && !known.has(name));
	if (strange.length === 0) return;
	const { nearestWord } = await import('@wayleave/io/messages');
	for (const name of strange) {
		const bare = (each: string) => each.replace('WAYLEAVE_', '');
		const suggestion = nearestWord(bare(name), [...known].map(bare));
		if (suggestion !== undefined) note(`the variable ${name} is ignored: did you mean WAYLEAVE_${suggestion}?\n`);
	}
}

/** @throws UsageError */
function read(option: Option, { value, where, folder }: Setting, { env }: Terminal): unknown {
	const wrong = (sentence: string) => new UsageError(`${where}: ${sentence}`, { code: 'invalid-config' });
	if (!option.required && !option.optional) {
		const text = String(value).toLowerCase();
		if (text !== 'true' && text !== 'false') throw wrong('expected true or false');
		return text === 'true';
	}
	const values = Array.isArray(value) ? value : [value];
	if (Array.isArray(value) && option.parseArg === undefined) throw wrong('expected one value, not a list');
	let result: unknown;
	for (const each of values) {
		if (typeof each !== 'string' && typeof each !== 'number' && typeof each !== 'boolean')
			throw wrong('expected text or a number');
		const text = pathIn(option.attributeName(), String(each), folder, env);
		if (option.argChoices !== undefined && !option.argChoices.includes(text))
			throw wrong(oneOf(option.argChoices, text));
		try {
			result = option.parseArg === undefined ? text : option.parseArg(text, result);
		} catch (error) {
			if (error instanceof InvalidArgumentError || error instanceof UsageError)
				throw wrong(error.message.replace(/\.$/, ''));
			throw error;
		}
	}
	return result;
}

/** A file of a setting is named from the folder of the setting; `~/` is the home of the user. */
function pathIn(key: string, text: string, folder: string, { HOME, USERPROFILE }: Terminal['env']): string {
	const home = HOME || USERPROFILE;
	const atHome = (path: string) => (home !== undefined && path.startsWith('~/') ? join(home, path.slice(2)) : path);
	if (files.has(key)) return resolve(folder, atHome(text));
	const [, file] = key === 'store' ? (/^sqlite:(?!\/\/)(?!:memory:$)(.+)$/i.exec(text) ?? []) : [];
	return file === undefined ? text : `sqlite:${resolve(folder, atHome(file))}`;
}

/** The keys of the settings that any of some commands takes. */
export function settingKeys(commands: readonly Command[]): string[] {
	return [...new Set(commands.flatMap((each) => [...optionsOf(each, pathOf(each).replace(/^wayleave /, '')).keys()]))];
}
