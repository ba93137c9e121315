import { loadSigningKey, signRequest } from '@wayleave/io/signatures';
import { parseUrl } from '@wayleave/protocols/url';
import type { Clock } from '../base/clock.ts';
import { CrawlError } from '../base/errors.ts';
import type { Identity } from '../model/identity.ts';

/** The headers that sign a request. */
export type SignHeaders = (method: string, url: string) => Promise<Readonly<Record<string, string>>>;

/** Seconds for which a signature is good: enough for clocks that differ a little and a slow connection. */
const lifetime = 120;

/**
 * Signs requests as Web Bot Auth wants it, so that a site can tell who calls; undefined without a key.
 *
 * @throws CrawlError `bad-option`
 */
export function signerFor({ signingKey, keyDirectory }: Identity, clock: Clock): SignHeaders | undefined {
	if (signingKey === undefined && keyDirectory === undefined) return undefined;
	if (signingKey === undefined || keyDirectory === undefined)
		throw new CrawlError(
			'bad-option',
			'a signing key needs the URL of its key directory, and a key directory needs a signing key: set both',
		);
	if (!isHttps(keyDirectory))
		throw new CrawlError('bad-option', `the key directory ${keyDirectory} is not an https URL`);
	const { origin } = new URL(keyDirectory);
	const key = load(signingKey);
	return async (method, url) => {
		const created = Math.floor(clock.now() / 1000);
		return { ...(await signRequest({ method, url }, key, { agent: origin, created, expires: created + lifetime })) };
	};
}

const isHttps = (text: string): boolean => parseUrl(text)?.protocol === 'https:';

function load(text: string) {
	try {
		return loadSigningKey(text);
	} catch (error) {
		throw new CrawlError('bad-option', `the signing key: ${(error as Error).message}`, { cause: error });
	}
}
