import { type CommonOptions, isOwnHost } from '@wayleave/crawler';
import { isContact } from '@wayleave/io/http';
import { parseUrl } from '@wayleave/protocols/url';
import { type Terminal, UsageError } from '../../terminal/command.ts';
import { readUserFile, writeUserFile } from './user-folder.ts';

export interface ContactFlags {
	botUrl?: string;
	contact?: string;
	iOwnThisSite?: string[];
}

/** One line in the user's folder. */
const fileName = 'contact';

/**
 * The contact in the User-Agent: the page about the crawler or a mailbox, from flags, else as saved. Undefined
 * where there is neither.
 *
 * @throws UsageError for a flag that is no address
 */
export function knownContact(flags: ContactFlags, env: Terminal['env']): string | undefined {
	if (flags.botUrl !== undefined) return readBotUrl(flags.botUrl);
	if (flags.contact !== undefined) return readContact(flags.contact, '--contact');
	const remembered = readUserFile(fileName, env)?.trim();
	return remembered !== undefined && isContact(remembered) ? remembered : undefined;
}

/**
 * The same for a command that is about to fetch: where it would request foreign sites without a contact, a person is
 * asked once, and without a person the command ends.
 *
 * @param urls the addresses that were typed
 * @param own lower-case host names
 * @throws UsageError that shows the flag
 */
export async function contactFor(
	flags: ContactFlags,
	urls: readonly string[],
	own: readonly string[],
	terminal: Terminal,
): Promise<string | undefined> {
	const known = knownContact(flags, terminal.env);
	const stranger = urls.map((url) => new URL(url).hostname).find((host) => !isOwnHost(host, own));
	if (stranger === undefined || (known !== undefined && isContact(known))) return known;
	if (known !== undefined) throw new UsageError(unreachable(flags, known));
	const answer = terminal.ask && (await ask(stranger, terminal.ask, terminal));
	if (answer === undefined) throw new UsageError(missing(stranger));
	return answer;
}

/** A server fetches what its callers name, so it says at its start that without a contact it refuses most of them. */
export function tellMissingContact({ identity = {} }: Pick<CommonOptions, 'identity'>, terminal: Terminal): void {
	if (identity.botUrl !== undefined && isContact(identity.botUrl)) return;
	const fault =
		identity.botUrl === undefined
			? 'no contact'
			: `${identity.botUrl.replace(/^mailto:/, '')} is not a reachable contact (its host name is reserved or private)`;
	terminal.note(
		`${fault}: only this machine and hosts named with --i-own-this-site are fetched. To fetch other sites, set --contact YOU@YOUR-DOMAIN or --bot-url\n`,
	);
}

const missing = (stranger: string): string =>
	`${stranger} was not requested: a crawler must tell sites how to reach its operator. Set --contact YOU@YOUR-DOMAIN or --bot-url https://YOUR-DOMAIN/bot; if the site is yours, use --i-own-this-site ${stranger}`;

function unreachable({ botUrl }: ContactFlags, known: string): string {
	const flag = botUrl === undefined ? '--contact' : '--bot-url';
	return `${flag} ${known.replace(/^mailto:/, '')} is not a reachable contact: name a page or a mailbox on the public Internet (--contact YOU@YOUR-DOMAIN or --bot-url https://YOUR-DOMAIN/bot)`;
}

const tries = 3;

async function ask(
	stranger: string,
	question: NonNullable<Terminal['ask']>,
	terminal: Terminal,
): Promise<string | undefined> {
	terminal.err(
		`Each request tells the site how to reach you, so that ${stranger} can contact you instead of blocking you.\nThis question is asked once.\n`,
	);
	for (let left = tries; left > 0; left--) {
		const text = (await question('Your e-mail address, or the URL of a page about your crawler: '))?.trim();
		if (text === undefined || text === '') return undefined;
		try {
			const contact = readContact(text, 'that');
			if (!isContact(contact))
				throw new UsageError('that contact is not reachable: its host name is reserved or private');
			const path = writeUserFile(fileName, `${contact}\n`, terminal.env);
			terminal.note(path === undefined ? 'it could not be saved: use --contact next time\n' : `saved in ${path}\n`);
			return contact;
		} catch (error) {
			if (!(error instanceof UsageError)) throw error;
			terminal.err(`${error.message}\n`);
		}
	}
	return undefined;
}

function readBotUrl(text: string): string {
	if (!/^https?:$/.test(parseUrl(text)?.protocol ?? ''))
		throw new UsageError(`--bot-url ${text} is not an http(s) URL; a mailbox goes with --contact`);
	return text;
}

function readContact(text: string, name: string): string {
	if (/^https?:\/\//i.test(text) && parseUrl(text) !== undefined) return text;
	const mailbox = text.replace(/^mailto:/i, '');
	if (/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"/]+$/.test(mailbox) && parseUrl(`mailto:${mailbox}`) !== undefined)
		return `mailto:${mailbox}`;
	throw new UsageError(
		`${name} ${name === 'that' ? '' : `${text} `}is neither an e-mail address nor an http(s) URL`.replace(
			/ {2,}/g,
			' ',
		),
	);
}
