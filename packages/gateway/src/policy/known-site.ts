import { present } from '@wayleave/protocols';
import { type ReadingPreset, readingPresets } from '@wayleave/protocols/url';
import type { OwnFiles } from './published-files.ts';

/** A site's own files when its robots.txt was last read successfully. */
export interface KnownSite {
	readonly own: OwnFiles;
	/** Milliseconds since 1970. */
	readonly readAt: number;
}

const day = 86_400_000;
/** "Not more than 24 hours" (RFC 9309 §2.4): the longest time that a missing file counts as missing. */
const absenceHolds = day;
/** "A reasonably long period of time (for example, 30 days)" for the rules of an unreachable file (RFC 9309 §2.3.1.4). */
const rulesHold = 30 * day;

/** Whether the robots.txt of an earlier run may replace one that cannot be read now. */
export function stillHolds({ own, readAt }: KnownSite, now: number): boolean {
	return now - readAt <= (own.robots === undefined ? absenceHolds : rulesHold);
}

interface Stored {
	/** Base64. */
	readonly robots?: string;
	readonly isText?: boolean;
	readonly llms?: boolean;
	readonly server?: string;
}

export function formatOwnFiles({ robots, llms, server }: OwnFiles): string {
	const stored: Stored = {
		...(robots !== undefined && { robots: Buffer.from(robots).toString('base64'), isText: typeof robots === 'string' }),
		...present({ llms, server }),
	};
	return JSON.stringify(stored);
}

/** Undefined if `formatOwnFiles` did not write it. */
export function parseOwnFiles(text: string): OwnFiles | undefined {
	let stored: Stored | null;
	try {
		stored = JSON.parse(text) as Stored | null;
	} catch {
		return undefined;
	}
	if (stored === null || typeof stored !== 'object') return undefined;
	const { robots, isText, llms, server } = stored;
	const bytes = typeof robots === 'string' ? Buffer.from(robots, 'base64') : undefined;
	return {
		...(bytes !== undefined && { robots: isText === true ? bytes.toString('utf8') : new Uint8Array(bytes) }),
		llms: llms === true,
		...(server !== undefined && Object.hasOwn(readingPresets, server) && { server: server as ReadingPreset }),
	};
}
