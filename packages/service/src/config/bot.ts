import { defaultCategory } from '@wayleave/crawler';
import { contactParts, isContact, localBotUrl } from '@wayleave/io/http';
import { buildUserAgent } from '@wayleave/protocols/identity';
import type { ServiceConfig } from './config.ts';

/** How the crawler of the service identifies itself. */
export interface Bot {
	readonly botName: string;
	/** The page about the crawler. */
	readonly botUrl: string;
	readonly category: string;
	readonly userAgent: string;
	/** Whether `botUrl` is a real contact. */
	readonly reachable: boolean;
	/** Of a look for the proof of a domain (AWI-03). */
	readonly verificationUserAgent: string;
}

export function botOf({ fetching }: Pick<ServiceConfig, 'fetching'>): Bot {
	const { botName = 'Wayleave', botUrl = localBotUrl, category = defaultCategory } = fetching.identity ?? {};
	return {
		botName,
		botUrl,
		category,
		reachable: isContact(botUrl),
		userAgent: buildUserAgent({ ...contactParts(botUrl), botName }),
		verificationUserAgent: buildUserAgent({ ...contactParts(botUrl), botName, verification: true }),
	};
}
