import { parseUrl } from '@wayleave/protocols/url';
import { type Command, InvalidArgumentError } from 'commander';

export interface AllowHostFlags {
	allowHost?: string[];
}

/** For commands that open a listener without a key. @param what the listener serves */
export const withAllowHost = (command: Command, what: string): Command =>
	command.option(
		'--allow-host <NAME>',
		`a further host name by which ${what} may be called: NAME or NAME:PORT (repeatable)`,
		hostName,
	);

/** Collects host names as browsers write them, in lower case. */
function hostName(text: string, earlier: readonly string[] = []): string[] {
	const [, name = '', port = ''] = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.exec(text.trim()) ?? [];
	const read = name === '' ? undefined : parseUrl(`http://${name}/`)?.hostname;
	if (read === undefined || read !== name.toLowerCase() || Number(port.slice(1)) > 65_535)
		throw new InvalidArgumentError('expected a host name, such as index.example or localhost:9000.');
	return [...earlier, `${read}${port}`];
}
