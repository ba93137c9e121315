import { type PoliteFetch, policyRedirects } from '@wayleave/crawler/check';
import { textOf } from '@wayleave/protocols';
import {
	type FileState,
	type FileVocabulary,
	fileVocabularies,
	type HostPolicies,
	robots2FileState,
	robotsFileState,
} from '@wayleave/protocols/policy';
import { parseRobots } from '@wayleave/protocols/robots';
import { parseRobots2 } from '@wayleave/protocols/robots2';

/** A file as the world sees it. */
export interface LiveFile {
	/** The URL that was asked for. */
	readonly url: string;
	/** 0: there was no response. */
	readonly status: number;
	readonly state: FileState;
	readonly contentType: string;
	readonly headers: ReadonlyMap<string, string>;
	readonly body: Uint8Array;
	readonly text: string;
	/** Why there was no response. */
	readonly detail: string;
}

export interface LiveVocabularyFile {
	readonly vocabulary: FileVocabulary;
	readonly file: LiveFile;
}

export interface LivePolicyFiles {
	readonly robots: LiveFile;
	readonly robots2: LiveFile;
	readonly vocabularies: readonly LiveVocabularyFile[];
	readonly verification: LiveFile | undefined;
}

/** The robots.txt that is served. */
export async function observeRobots(origin: string, fetch: PoliteFetch): Promise<LiveFile> {
	return await loadFile(`${origin}/robots.txt`, fetch, robotsFileState, policyRedirects);
}

/** Fetches what else the policy is published in, as our own agent. Control files are read whatever they say. */
export async function observePolicies(
	robots: LiveFile,
	origin: string,
	verification: boolean,
	fetch: PoliteFetch,
): Promise<LivePolicyFiles> {
	const load = async (path: string) => await loadFile(`${origin}${path}`, fetch, robots2FileState, policyRedirects);
	const robots2 = await load('/robots2.txt');
	const vocabularies: LiveVocabularyFile[] = [];
	for (const vocabulary of fileVocabularies) vocabularies.push({ vocabulary, file: await load(vocabulary.file.path) });
	return {
		robots,
		robots2,
		vocabularies,
		verification: verification ? await load('/.well-known/aiwebindex-verify.txt') : undefined,
	};
}

/** Fetches a page, or a manifest: a redirect is an answer like any other. */
export async function loadPage(url: string, fetch: PoliteFetch): Promise<LiveFile> {
	return await loadFile(url, fetch, robotsFileState, 0);
}

async function loadFile(
	url: string,
	fetch: PoliteFetch,
	stateOf: (status: number, type: string) => FileState,
	redirects: number,
): Promise<LiveFile> {
	const response = await fetch.get(url, redirects);
	if (!response.ok) {
		const nothing = { contentType: '', headers: new Map(), body: new Uint8Array(), text: '' };
		return { url, status: 0, state: 'unreachable', detail: response.detail, ...nothing };
	}
	const { status, contentType, body } = response;
	const headers = new Map<string, string>();
	for (const [name, value] of response.headers) {
		const before = headers.get(name.toLowerCase());
		headers.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
	}
	const state = stateOf(status, contentType);
	return { url, status, state, contentType, headers, body, text: textOf(body), detail: '' };
}

/** The policies that an agent reads from the live files. */
export function livePolicies({ robots, robots2, vocabularies }: LivePolicyFiles): HostPolicies {
	const missing = ({ url, state, detail, status }: LiveFile) => ({
		source: url,
		state: state === 'none' ? ('none' as const) : ('unreachable' as const),
		detail: detail || `HTTP ${status}`,
	});
	return {
		robots: robots.state === 'present' ? { source: robots.url, file: parseRobots(robots.body).value } : missing(robots),
		robots2:
			robots2.state === 'present'
				? { files: [{ source: robots2.url, file: parseRobots2(robots2.body).value }] }
				: missing(robots2),
		files: Object.fromEntries(
			vocabularies
				.filter(({ file }) => file.state === 'present')
				.map(({ vocabulary, file }) => [
					vocabulary.name,
					{ source: file.url, value: vocabulary.file.parse(file.body).value },
				]),
		),
	};
}
