import { type Cookie, type OwnSiteCredentials, whyNotOwnHeader } from '@wayleave/io/http';
import { hasScheme, withScheme } from '@wayleave/io/typed-address';
import { type Terminal, UsageError } from '../../terminal/command.ts';
import { parseCookies } from './cookie-file.ts';
import { readNamedText } from './read-named.ts';
import { readHost } from './seeds.ts';

export interface LoginFlags {
	iOwnThisSite?: string[];
	header?: string[];
	cookieFile?: string;
}

/**
 * Credentials of `--header` and `--cookie-file`, with their origins. No message contains a value.
 *
 * @param urls the addresses that were typed
 * @throws UsageError
 */
export function credentialsOf(
	{ iOwnThisSite = [], header = [], cookieFile }: LoginFlags,
	urls: readonly string[],
	terminal: Pick<Terminal, 'cwd' | 'stdin'>,
): OwnSiteCredentials | undefined {
	if (header.length === 0 && cookieFile === undefined) return undefined;
	const flag = header.length > 0 ? '--header' : '--cookie-file';
	if (iOwnThisSite.length === 0)
		throw new UsageError(`${flag} applies to your own sites only: name them with --i-own-this-site HOST`);
	const origins = [...new Set(iOwnThisSite.flatMap((site) => originsOf(site, urls)))];
	return { origins, headers: headersOf(header, terminal), cookies: cookiesOf(cookieFile, origins, terminal) };
}

/**
 * The origins that `--i-own-this-site` names: an origin is itself; a host is what was typed of it (scheme and port),
 * or its https origin where nothing was.
 */
function originsOf(site: string, urls: readonly string[]): string[] {
	const { origin, host, port, hostname } = new URL(withScheme(site));
	if (hasScheme(site)) return [origin];
	const typed = urls
		.map((url) => new URL(url))
		.filter((url) => (port === '' ? url.hostname === hostname : url.host === host));
	return typed.length === 0 ? [origin] : typed.map((url) => url.origin);
}

function headersOf(lines: readonly string[], terminal: Pick<Terminal, 'cwd' | 'stdin'>): Record<string, string> {
	const headers = new Map<string, [name: string, value: string]>();
	for (const line of lines.flatMap((text) => readLines(text, terminal))) {
		const [, name = '', value] = /^([^:\s]+)\s*:\s*(.*)$/s.exec(line) ?? [];
		if (value === undefined) throw new UsageError('--header: write NAME:VALUE, or @FILE with one NAME:VALUE per line');
		const reason = whyNotOwnHeader(name);
		if (reason !== undefined) throw new UsageError(`--header ${name} cannot be sent: ${reason}`);
		if (/[\0\r\n]|[^\0-\xff]/.test(value))
			throw new UsageError(`--header ${name}: its value cannot be sent in a header`);
		const key = name.toLowerCase();
		const before = headers.get(key);
		const joined = before === undefined ? value : `${before[1]}${key === 'cookie' ? '; ' : ', '}${value}`;
		headers.set(key, [name, joined]);
	}
	return Object.fromEntries(headers.values());
}

/** `@FILE` keeps secrets out of the list of processes. */
function readLines(text: string, terminal: Pick<Terminal, 'cwd' | 'stdin'>): string[] {
	if (!text.startsWith('@')) return [text];
	return readNamedText(text.slice(1), terminal, `--header ${text}`)
		.split(/\r?\n/)
		.filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

function cookiesOf(
	file: string | undefined,
	origins: readonly string[],
	terminal: Pick<Terminal, 'cwd' | 'stdin'>,
): Cookie[] {
	if (file === undefined) return [];
	const text = readNamedText(file, terminal, `--cookie-file ${file}`);
	try {
		const cookies = parseCookies(text, origins.map(readHost));
		if (cookies.length === 0) throw new Error('it contains no cookie');
		return cookies;
	} catch (error) {
		throw new UsageError(`--cookie-file ${file}: ${(error as Error).message}`);
	}
}
