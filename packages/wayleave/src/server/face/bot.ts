import { defaultBotUrl, defaultCategory } from '@wayleave/crawler';
import { buildUserAgent } from '@wayleave/protocols/identity';
import type { ServiceConfig } from '../config.ts';

/** What the crawler of the service says of itself. */
export interface Bot {
	readonly botName: string;
	/** The page about the crawler. */
	readonly botUrl: string;
	readonly category: string;
	readonly userAgent: string;
	/** Of a look for the proof of a domain (AWI-03). */
	readonly verificationUserAgent: string;
}

export function botOf({ fetching }: Pick<ServiceConfig, 'fetching'>): Bot {
	const { botName = 'Wayleave', botUrl = defaultBotUrl, category = defaultCategory } = fetching.identity ?? {};
	return {
		botName,
		botUrl,
		category,
		userAgent: buildUserAgent({ botUrl, botName }),
		verificationUserAgent: buildUserAgent({ botUrl, botName, verification: true }),
	};
}
