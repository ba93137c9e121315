import { defaultReadings, readPageUrl } from './readings.ts';

/**
 * Why an address that a caller gives is not fetched, as it was sent: a parser would repair it, and judge another page
 * than the one that is meant. Undefined where nothing is wrong.
 */
export function addressFault(text: string): string | undefined {
	const fault = readPageUrl(text.trim(), defaultReadings);
	if (fault === 'bad-character') return 'it contains a backslash, a tab, a line break or another control character';
	if (fault === 'dot-segment') return 'its path contains . or .. in a form that servers read differently';
	return undefined;
}
