import { parseUrl } from '../url/parse-url.ts';
import { isHttps } from './format.ts';
import { parseRobots2 } from './parse.ts';
import type { Robots2Problem } from './problems.ts';
import { robots2Problem } from './report.ts';
import type { Robots2Source } from './types.ts';

/** A text and the URL it came from in the end. */
export interface FetchedText {
	/** After redirects; the URL asked for when absent. */
	readonly url?: string;
	readonly text: string | Uint8Array;
}

/** Fetches a policy file with the caller's own safety checks; undefined or a rejection means that there is none. */
export type FetchText = (url: string) => Promise<FetchedText | undefined>;

/** Hops, so up to four files in all ("CHAIN SAFETY"). */
export const maxChainDepth = 3;

/** The files of a chain in their order, and why it ended where it did. */
export interface ResolvedChain {
	readonly files: readonly Robots2Source[];
	readonly problems: readonly (Robots2Problem & { readonly source: string })[];
}

/**
 * Follows `chain:` from the first file: at most three hops, https only, and no file twice, whether it is known
 * by its URL or by its `chain-id`. A target that cannot be read ends the chain without error.
 */
export async function resolveChain(fetchText: FetchText, first: Robots2Source): Promise<ResolvedChain> {
	const files = [first];
	const seen = new Set(namesOf(first));
	const problems: (Robots2Problem & { source: string })[] = [];
	let last = first;
	while (last.file.chain !== undefined) {
		const link = last.file.chain;
		const stop = (code: Robots2Problem['code']) => {
			problems.push({ ...robots2Problem(code, link, { url: link.value }), source: last.source });
			return { files, problems };
		};
		if (!isHttps(link.value)) return stop('robots2-chain-not-https');
		if (seen.has(key(link.value))) return stop('robots2-chain-loop');
		if (files.length > maxChainDepth) return stop('robots2-chain-too-deep');
		const fetched = await fetchText(link.value).catch(() => undefined);
		const source = fetched?.url ?? link.value;
		if (!fetched || !isHttps(source)) return stop('robots2-chain-unavailable');
		const next = { source, file: parseRobots2(fetched.text).value };
		if (namesOf(next).some((name) => seen.has(name))) return stop('robots2-chain-loop');
		for (const name of [key(link.value), ...namesOf(next)]) seen.add(name);
		files.push(next);
		last = next;
	}
	return { files, problems };
}

/** A URL as one of the same resource: without its fragment. */
function key(source: string): string {
	const url = parseUrl(source);
	if (url === undefined) return source;
	url.hash = '';
	return url.href;
}

/** Names of a file: its URL, and its `chain-id` if it has one (mirrors, redirects). */
function namesOf({ source, file }: Robots2Source): string[] {
	const id = file.meta.get('chain-id');
	return [key(source), ...(id ? [`chain-id ${id.toLowerCase()}`] : [])];
}
