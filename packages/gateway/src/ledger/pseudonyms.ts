import { createHmac, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { Entry } from './entry.ts';

const day = 86_400_000;

/**
 * Replaces the addresses of an entry by pseudonyms: one client keeps its own through a day of one run, and it cannot be
 * traced back later, since the key is never written and each day has another.
 */
export function createPseudonyms(now: () => number): (entry: Entry) => Entry {
	let key = randomBytes(32);
	let today = Math.floor(now() / day);
	const pseudonym = (address: string) =>
		`~${createHmac('sha256', key).update(address).digest('base64url').slice(0, 16)}`;
	return (entry) => {
		const date = Math.floor(now() / day);
		if (date !== today) {
			today = date;
			key = randomBytes(32);
		}
		const address = pseudonym(entry.address);
		return {
			...entry,
			address,
			client: isIP(entry.client.replace(/\/.*/s, '')) === 0 ? entry.client : pseudonym(entry.client),
			evidence: entry.address === '' ? entry.evidence : entry.evidence.replaceAll(entry.address, address),
		};
	};
}
