import { basename, extname } from 'node:path';
import { readTypedAddress, readTypedUrl, type TypedAddress } from '@wayleave/io/typed-address';
import { quantity } from '@wayleave/protocols/text';
import { type Terminal, UsageError } from '../../terminal/command.ts';
import { linesOf } from './lines.ts';
import { readNamedText, stdinName } from './read-named.ts';

/** Reads an address that a person typed: `docs.example.com` means https, `localhost:8080` http. @throws UsageError */
export function readAddress(text: string): string {
	return urlOf(readTypedAddress(text)).href;
}

/**
 * Start addresses of a crawl: typed ones, then those of a file, one per line; `-` is stdin.
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

/** Default name of the files of a crawl: from the first typed address, or the list. */
export function seedsName(typed: readonly string[], file: string | undefined): string {
	if (typed[0] !== undefined) return hostFileName(readAddress(typed[0]));
	return file === undefined || file === '-' ? 'seeds' : basename(file, extname(file));
}

/** The host that a person means by `Example.com`, `https://example.com/` or `example.com.`. @throws UsageError */
export function readHost(text: string): string {
	return urlOf(readTypedUrl(text)).hostname.replace(/\.+$/, '');
}

function urlOf(read: TypedAddress): URL {
	if ('fault' in read) throw new UsageError(read.fault);
	return read.url;
}

/** A host as part of a file name; another port is another site: `127.0.0.1_8080`. */
export function hostFileName(url: string): string {
	const { hostname, port } = new URL(url);
	const host = hostname.replace(/\.+$/, '');
	return (port === '' ? host : `${host}_${port}`).replace(/[^\w.-]/g, '_');
}
