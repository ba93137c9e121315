import { basename, extname } from 'node:path';
import { isLoopbackName } from '@wayleave/io/loopback';
import { parseUrl } from '@wayleave/protocols/url';
import { type Terminal, UsageError } from '../command.ts';
import { quantity } from '../output/quantities.ts';
import { linesOf } from './lines.ts';
import { readNamedText, stdinName } from './read-named.ts';

/** Reads an address that a person typed: `docs.example.com` means https, `localhost:8080` http. @throws UsageError */
export function readAddress(text: string): string {
	const { href, hostname } = readUrl(text);
	if (!hasScheme(text) && !/[.[]/.test(hostname) && !isLoopbackName(hostname))
		throw new UsageError(`${text} is not a public web address: for a host in your own network, write http://${text}`);
	return href;
}

/**
 * Where a crawl begins: the addresses that were typed, then those of a file, one a line; `-` is stdin.
 *
 * @throws UsageError that names the lines
 */
export function readSeeds(typed: readonly string[], file: string | undefined, terminal: Files): string[] {
	const listed = file === undefined ? [] : readList(file, terminal);
	if (typed.length + listed.length > 0) return [...typed.map(readAddress), ...listed];
	throw new UsageError(
		file === undefined
			? 'no URL to start from: pass one, or a file of URLs with --seeds'
			: `--seeds ${file}: it contains no URL`,
	);
}

type Files = Pick<Terminal, 'cwd' | 'stdin'>;

function readList(file: string, terminal: Files): string[] {
	const wrong: string[] = [];
	const seeds = linesOf(readNamedText(file, terminal, `--seeds ${file}`), file === '-' ? stdinName : file).flatMap(
		({ text, where }) => {
			try {
				return readAddress(text);
			} catch (error) {
				if (!(error instanceof UsageError)) throw error;
				wrong.push(`${where}: ${error.message}`);
				return [];
			}
		},
	);
	if (wrong.length === 0) return seeds;
	// All that is to be mended, as far as a person can take it in.
	const shown = wrong.length > 10 ? [...wrong.slice(0, 9), `and ${quantity(wrong.length - 9, 'more line')}`] : wrong;
	throw new UsageError(shown.join('\n'));
}

/** What to call the files of a crawl that got no name: after the first address that was typed, or the list. */
export function seedsName(typed: readonly string[], file: string | undefined): string {
	if (typed[0] !== undefined) return hostFileName(readAddress(typed[0]));
	return file === undefined || file === '-' ? 'seeds' : basename(file, extname(file));
}

/** The host that a person means by `Example.com`, `https://example.com/` or `example.com.`. @throws UsageError */
export function readHost(text: string): string {
	return readUrl(text).hostname.replace(/\.+$/, '');
}

/** What a person leaves out: nobody serves https on loopback unless it is said. */
export function withScheme(text: string): string {
	if (hasScheme(text)) return text;
	const host = parseUrl(`https://${text}`)?.hostname;
	return `${host !== undefined && isLoopbackName(host) ? 'http' : 'https'}://${text}`;
}

/** Whether a scheme was typed. */
export const hasScheme = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

function readUrl(text: string): URL {
	const url = parseUrl(withScheme(text));
	if (url === undefined) throw new UsageError(`${text} is not a URL`);
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw new UsageError(`${text}: only http and https URLs are fetched`);
	}
	if (url.username !== '' || url.password !== '') {
		throw new UsageError(
			`${url.hostname}: URLs with a user name or password are not fetched, because pages behind a login are not public`,
		);
	}
	return url;
}

/** A host as part of a file name; another port is another site: `127.0.0.1_8080`. */
export function hostFileName(url: string): string {
	const { hostname, port } = new URL(url);
	const host = hostname.replace(/\.+$/, '');
	return (port === '' ? host : `${host}_${port}`).replace(/[^\w.-]/g, '_');
}
