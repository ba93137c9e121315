import { DatabaseError } from '@wayleave/io';
import { Command, InvalidArgumentError } from 'commander';
import { type CommandFactory, exitCodes, type Terminal, UsageError } from '../command.ts';
import { list, wholeNumber } from '../options/numbers.ts';
import { storeUrl } from '../options/store.ts';
import { openServiceDatabase } from '../server/database.ts';
import { type ApiKey, KeyStore } from '../server/keys/key-store.ts';
import { isScope, type Scope, scopeNames, usualScopes } from '../server/keys/scopes.ts';

interface StoreFlags {
	store: string;
	json?: boolean;
}

interface CreateFlags extends StoreFlags {
	name: string;
	scope?: string[];
	rate?: number;
	quota?: number;
	expires?: number;
}

interface RotateFlags extends StoreFlags {
	grace: number;
}

export const keysCommand: CommandFactory = (terminal, done) => {
	const keys = new Command('keys').addHelpText('after', examples);
	/** A subcommand that works on the keys of a store. */
	const add = (command: Command) =>
		command
			.option('--store <URL>', 'the store of the service', 'sqlite:./wayleave.db')
			.option('--json', 'JSON on stdout');
	const on = async <Flags extends StoreFlags>(flags: Flags, work: (store: KeyStore) => Promise<number>) =>
		done(await withKeys(flags, terminal, work));
	keys.addCommand(
		add(new Command('create'))
			.description('Make a key; its token is shown once.')
			.requiredOption('--name <NAME>', 'whose key it is, for people')
			.option(
				'--scope <SCOPES>',
				`what it is good for: ${scopeNames.join(', ')} (default: ${usualScopes.join(', ')})`,
				list,
			)
			.option('--rate <N>', 'requests per minute', wholeNumber(1))
			.option('--quota <N>', 'documents per day', wholeNumber(1))
			.option('--expires <WHEN>', 'days from now, such as 90d, or a date', readExpiry)
			.action((flags: CreateFlags) => on(flags, (store) => create(store, flags, terminal))),
	);
	keys.addCommand(
		add(new Command('list'))
			.description('All keys, without their secrets.')
			.action((flags: StoreFlags) => on(flags, (store) => show(store, flags, terminal))),
	);
	keys.addCommand(
		add(new Command('revoke'))
			.description('End a key for good; a running service notices within five seconds.')
			.argument('<ID>')
			.action((id: string, flags: StoreFlags) => on(flags, (store) => revoke(store, id, terminal))),
	);
	keys.addCommand(
		add(new Command('rotate'))
			.description('Give a key a new token; the old one stays good for a while.')
			.argument('<ID>')
			.option('--grace <HOURS>', 'how long', wholeNumber(0), 24)
			.action((id: string, flags: RotateFlags) => on(flags, (store) => rotate(store, id, flags, terminal))),
	);
	return keys;
};

const examples = `
Examples:
  wayleave keys create --name "Ada" --rate 60 --quota 5000 --expires 90d
  wayleave keys list
  wayleave keys rotate 3k9x0c1m2p`;

async function withKeys(
	{ store }: StoreFlags,
	terminal: Terminal,
	work: (store: KeyStore) => Promise<number>,
): Promise<number> {
	if (store === 'memory') throw new UsageError('--store memory ends with the process: name the store of the service');
	const db = openKeys(storeUrl(store, terminal.cwd));
	try {
		return await work(await KeyStore.open(db));
	} finally {
		await db.destroy();
	}
}

function openKeys(url: string) {
	try {
		return openServiceDatabase(url);
	} catch (error) {
		if (error instanceof DatabaseError && error.code === 'unsupported-url') throw new UsageError(error.message);
		throw error;
	}
}

async function create(store: KeyStore, flags: CreateFlags, terminal: Terminal): Promise<number> {
	const { name, rate, quota, expires } = flags;
	const { key, token } = await store.create({
		name,
		scopes: (flags.scope ?? usualScopes).map(readScope),
		...(rate !== undefined && { rate }),
		...(quota !== undefined && { quota }),
		...(expires !== undefined && { expiresAt: expires }),
	});
	return tell(key, token, flags, terminal);
}

async function rotate(store: KeyStore, id: string, flags: RotateFlags, terminal: Terminal): Promise<number> {
	const token = await store.rotate(id, flags.grace * hour);
	if (token === undefined) return unknown(id, terminal);
	return tell((await store.find(id))!.key, token, flags, terminal);
}

/** The token alone goes to stdout, so that it can be piped to where it belongs. */
function tell(key: ApiKey, token: string, { json }: StoreFlags, terminal: Terminal): number {
	if (json) terminal.out(`${JSON.stringify({ ...key, token })}\n`);
	else {
		terminal.out(`${token}\n`);
		terminal.err(`the token of ${key.id} (${key.name}); it is not stored, and cannot be shown again\n`);
	}
	return exitCodes.ok;
}

async function revoke(store: KeyStore, id: string, terminal: Terminal): Promise<number> {
	if (!(await store.revoke(id))) return unknown(id, terminal);
	terminal.err(`${id} is revoked\n`);
	return exitCodes.ok;
}

function unknown(id: string, terminal: Terminal): number {
	terminal.err(`there is no key ${id} that is not revoked: see wayleave keys list\n`);
	return exitCodes.found;
}

async function show(store: KeyStore, { json }: StoreFlags, terminal: Terminal): Promise<number> {
	const keys = await store.list();
	for (const key of keys) terminal.out(`${json ? JSON.stringify(key) : describe(key)}\n`);
	if (keys.length === 0 && !json) terminal.err('no keys yet: wayleave keys create --name NAME\n');
	return exitCodes.ok;
}

function describe({ id, name, scopes, rate, quota, expiresAt, revokedAt }: ApiKey): string {
	const limits = [
		scopes.join(','),
		...(rate === undefined ? [] : [`${rate}/minute`]),
		...(quota === undefined ? [] : [`${quota}/day`]),
		...(expiresAt === undefined ? [] : [`until ${new Date(expiresAt).toISOString().slice(0, 10)}`]),
		...(revokedAt === undefined ? [] : ['revoked']),
	];
	return `${id}  ${name}  ${limits.join('  ')}`;
}

function readScope(text: string): Scope {
	if (!isScope(text)) throw new UsageError(`--scope ${text}: known scopes are ${scopeNames.join(', ')}`);
	return text;
}

const hour = 60 * 60 * 1000;

function readExpiry(text: string): number {
	const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
	const time = days === undefined ? Date.parse(text) : Date.now() + Number(days) * 24 * hour;
	if (Number.isNaN(time) || time <= Date.now()) throw new InvalidArgumentError('90d or a date to come is wanted.');
	return time;
}
