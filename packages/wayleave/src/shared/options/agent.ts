import type { CommonOptions } from '@wayleave/crawler';
import { type Command, Option } from 'commander';
import type { ContactFlags } from './contact.ts';
import { each, list, seconds } from './numbers.ts';
import type { LoginFlags } from './own-sites.ts';
import type { ProxyFlags } from './proxy.ts';
import { wordsOf } from './words.ts';

/** Identity, pace, proxy, and credentials for own sites. */
export interface ClientFlags extends ContactFlags, LoginFlags, ProxyFlags {
	botName?: string;
	signKey?: string;
	keyDirectory?: string;
	delay?: number;
	maxPause?: number;
	pauseCap?: number;
}

export interface AgentFlags extends ClientFlags {
	category: string;
	use?: string[];
	operatorMarket?: string;
	ask: NonNullable<CommonOptions['ask']>;
}

/** Adds the options that say who asks, for what, and at which pace. */
export function withAgentOptions(command: Command): Command {
	return withClientOptions(withPurposeOptions(command));
}

/** Adds those of a server: it has no proxy from the environment, and nothing of the operator's logs others in. */
export function withServerOptions(command: Command): Command {
	return withServerProxy(withPaceOptions(withIdentityOptions(withPurposeOptions(command))));
}

/** Adds what every command that fetches has, whatever it does with the answer. */
export function withClientOptions(command: Command): Command {
	return withPaceOptions(withIdentityOptions(command))
		.option('--header <NAME:VALUE>', 'a header field for your own sites only, or @FILE of them (repeatable)', each)
		.option('--cookie-file <FILE>', 'cookies for your own sites only: Netscape format or JSON')
		.addOption(clientProxyOption());
}

function withPurposeOptions(command: Command): Command {
	return command
		.option('--category <CAT>', 'agent category of robots2.txt', 'ai-assistant')
		.option('--use <USES>', 'what the pages are for: read, store, summarise, train, …', list)
		.option('--operator-market <MARKET>', 'your market, for sites that forbid competing uses')
		.addOption(
			new Option('--ask <WHEN>', 'send a request to the site where robots2.txt says ask')
				.choices(wordsOf<AgentFlags['ask']>({ auto: true, never: true }))
				.default('auto'),
		);
}

function withIdentityOptions(command: Command): Command {
	return command
		.option('--contact <ADDRESS>', 'how sites reach you: an e-mail address or the URL of a page')
		.option('--bot-url <URL>', 'the page about your crawler, instead of --contact')
		.option('--bot-name <NAME>', 'name of the implementation in User-Agent and X-Agent-Identity')
		.option('--sign-key <FILE>', 'sign every request with this private Ed25519 key (PEM or JWK)')
		.option('--key-directory <URL>', 'the https origin that publishes the public key (Signature-Agent)');
}

function withPaceOptions(command: Command): Command {
	return command
		.option('--delay <SECONDS>', 'pause between two requests to one host (default 2; less only on own sites)', seconds)
		.option(
			'--i-own-this-site <HOST>',
			'a host of yours: allows a shorter --delay, --header, and no contact (repeatable)',
			list,
		)
		.option(
			'--max-pause <SECONDS>',
			'longest Retry-After to wait for; a longer one defers the host (default 300)',
			seconds,
		)
		.option(
			'--pause-cap <SECONDS>',
			'longest pause of a whole host after 429 or 503 (default 3600; below 60 only on own sites)',
			seconds,
		);
}

/** For commands that a person runs: the environment counts. */
export const clientProxyOption = (): Option =>
	new Option(
		'--proxy <URL>',
		'forward proxy, http:// or https://; none for no proxy (default: HTTP_PROXY, HTTPS_PROXY, NO_PROXY)',
	);

/** For servers: the proxy then checks addresses, so none is used unless it is named. */
export function withServerProxy(command: Command): Command {
	return command.option(
		'--proxy <URL>',
		'forward proxy for its own requests (default: none; HTTP_PROXY is ignored, since the proxy then checks addresses)',
	);
}
