import { textOf } from '@wayleave/protocols';
import {
	type Agent,
	checkUsageRecords,
	type FileVocabulary,
	fileVocabularies,
	type HostPolicies,
	type MissingFile,
	type PageSignals,
	preparePolicies,
	robots2FileState,
	robotsFileState,
	type Use,
	uses,
	type Vocabulary,
	type VocabularyFile,
} from '@wayleave/protocols/policy';
import { checkRobots, parseRobots } from '@wayleave/protocols/robots';
import { checkRobots2, parseRobots2, type Robots2Source, resolveChain } from '@wayleave/protocols/robots2';
import { type FileResult, type PoliteFetch, policyRedirects } from './fetch-file.ts';
import { readHeadTags } from './head-tags.ts';

/** All that could be learned about the terms of a URL. */
export interface SiteTerms {
	readonly policies: HostPolicies;
	readonly page?: PageSignals;
	/** Notes on each file in reading order: read, or why not. */
	readonly read: readonly ReadNote[];
}

export interface ReadNote {
	readonly source: string;
	readonly note: string;
	/** Errors and warnings in the file. */
	readonly problems: number;
}

/** The files that matter for a question; default: all. */
export interface SiteInterest {
	readonly page: boolean;
	/** For the files of vocabularies. */
	readonly uses?: readonly Use[];
}

/** Its role is not known, so that each use counts. */
const anyAgent: Agent = { token: '*' };

/** Fetches what is needed to answer for a URL: the policy files, and the page itself where `self` may crawl and read it. */
export async function readSite(
	url: string,
	self: Agent,
	fetch: PoliteFetch,
	{ page: wantPage, uses: wanted = uses }: SiteInterest,
): Promise<SiteTerms> {
	const { origin } = new URL(url);
	const read: ReadNote[] = [];
	const load = async (from: string, redirects: number) => ({ from, response: await fetch.get(from, redirects) });

	const robots = readRobots(await load(`${origin}/robots.txt`, policyRedirects), read);
	if (isUnreachable(robots)) return { policies: { robots }, read };
	keepPace({ robots }, self, url, fetch);
	const robots2 = await readRobots2(await load(`${origin}/robots2.txt`, policyRedirects), fetch, read);
	const known: HostPolicies = { robots, robots2 };
	const { decide } = keepPace(known, self, url, fetch);
	const mayFetch = (target: string) => decide('crawl', target).permitted && decide('read', target).permitted;

	const files: Partial<Record<Vocabulary['name'], VocabularyFile>> = {};
	for (const { name, file } of fileVocabularies) {
		const fileUrl = origin + file.path;
		if (!wanted.some((use) => file.concerns(use, anyAgent)) || !mayFetch(fileUrl)) continue;
		const found = readVocabularyFile(await load(fileUrl, 0), file, read);
		if (found !== undefined) files[name] = found;
	}
	const policies = { ...known, files };
	if (!wantPage) return { policies, read };
	if (!mayFetch(url)) {
		read.push({ source: url, note: 'not requested: the policy forbids it for AIWebIndex', problems: 0 });
		return { policies, read };
	}
	const page = readPage(await load(url, 0), read);
	return { policies, read, ...(page && { page }) };
}

/** The slowest of what is asked for wins. */
function keepPace(policies: HostPolicies, self: Agent, url: string, fetch: PoliteFetch) {
	const prepared = preparePolicies(policies, self);
	fetch.setSitePace(url, { crawlDelay: prepared.crawlDelay, rate: prepared.obligations.ratePerMinute });
	return prepared;
}

interface Loaded {
	readonly from: string;
	readonly response: FileResult;
}

function isUnreachable(file: object): boolean {
	return 'state' in file && file.state === 'unreachable';
}

/** Notes what was answered; gives the text, or what its absence means. */
function open(
	{ from, response }: Loaded,
	stateOf: (status: number, contentType: string) => 'present' | MissingFile['state'],
	read: ReadNote[],
	countProblems: (text: Uint8Array) => number,
): { source: string; body: Uint8Array } | MissingFile {
	if (!response.ok) {
		read.push({ source: from, note: `no response: ${response.detail}`, problems: 0 });
		return { source: from, state: 'unreachable', detail: response.detail };
	}
	const { url, status, contentType, body } = response;
	const state = stateOf(status, contentType);
	const note = {
		present: `${status}, ${body.length} bytes`,
		none: `${status}, not found`,
		unreachable: `${status}`,
	};
	const html = state === 'none' && status < 300 ? `${status}, a web page instead of the file` : undefined;
	const problems = state === 'present' ? countProblems(body) : 0;
	read.push({ source: url === from ? from : `${from} → ${url}`, note: html ?? note[state], problems });
	return state === 'present' ? { source: from, body } : { source: from, state, detail: `HTTP ${status}` };
}

function readRobots(loaded: Loaded, read: ReadNote[]): NonNullable<HostPolicies['robots']> {
	const file = open(loaded, robotsFileState, read, countRobotsProblems);
	return 'state' in file ? file : { source: file.source, file: parseRobots(file.body).value };
}

async function readRobots2(
	loaded: Loaded,
	fetch: PoliteFetch,
	read: ReadNote[],
): Promise<NonNullable<HostPolicies['robots2']>> {
	const file = open(loaded, robots2FileState, read, countRobots2Problems);
	if ('state' in file) return file;
	const first: Robots2Source = { source: file.source, file: parseRobots2(file.body).value };
	const { files, problems } = await resolveChain(async (url) => {
		const response = await fetch.get(url, policyRedirects);
		const next = open({ from: url, response }, robots2FileState, read, countRobots2Problems);
		return 'state' in next || !response.ok ? undefined : { url: response.url, text: next.body };
	}, first);
	for (const { code, args } of problems)
		read.push({ source: String(args.url), note: `not followed: ${code.replace('robots2-', '')}`, problems: 0 });
	return { files };
}

function readVocabularyFile(
	loaded: Loaded,
	{ parse }: FileVocabulary['file'],
	read: ReadNote[],
): VocabularyFile | undefined {
	const file = open(loaded, robots2FileState, read, (body) => parse(body).problems.length);
	return 'state' in file ? undefined : { source: file.source, value: parse(file.body).value };
}

function readPage({ from, response }: Loaded, read: ReadNote[]): PageSignals | undefined {
	if (!response.ok || response.status >= 300) {
		const note = response.ok ? `${response.status}, no page signals` : `no response: ${response.detail}`;
		read.push({ source: from, note, problems: 0 });
		return undefined;
	}
	read.push({ source: from, note: `${response.status}, the page itself`, problems: 0 });
	const isHtml = /\bx?html\b/i.test(response.contentType);
	const tags = isHtml ? readHeadTags(textOf(response.body), from) : {};
	return { source: from, headers: response.headers, ...tags };
}

const serious = (problems: readonly { severity: string }[]) =>
	problems.filter(({ severity }) => severity !== 'info').length;

export function countRobotsProblems(text: string | Uint8Array): number {
	return serious(checkRobots(text)) + serious(checkUsageRecords(parseRobots(text).value));
}

export function countRobots2Problems(text: string | Uint8Array): number {
	return serious(checkRobots2(text));
}
