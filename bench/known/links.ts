/** The sizes that are compared. */
export const sizes = [10_000, 1_000_000] as const;

/** Hosts of the known URLs that links lead to. */
export const knownHosts = 100;

/** Of how many known links of a page one leads anywhere; the others lead to one host. 1 is the worst that can be. */
const usual = 5;

const known = (n: number): string => `http://known${n % knownHosts}.test/articles/${n}`;

/** A link of a page that is known: to the one host to which most links of its host lead, or anywhere. */
export function knownLink(host: number, page: number, n: number, size: number, everyAnywhere = usual): string {
	if (n % everyAnywhere === 0) return known(((page * 7919 + n * 104_729) % size) + 1);
	const ofHost = (page * 7919 + n * 7) % (size / knownHosts);
	return known((host % knownHosts) + 1 + knownHosts * ofHost);
}
