import {
	type Agent,
	checkUsageRecords,
	type HostPolicies,
	type MissingFile,
	type PageSignals,
	parseTdmrep,
	preparePolicies,
	robots2FileState,
	robotsFileState,
} from '@wayleave/protocols/policy';
import { checkRobots, parseRobots } from '@wayleave/protocols/robots';
import { checkRobots2, parseRobots2, type Robots2Source, resolveChain } from '@wayleave/protocols/robots2';
import { textOf } from '../options/read-named.ts';
import { type FileAnswer, type PoliteFetch, policyRedirects } from './fetch-file.ts';
import { readHeadTags } from './head-tags.ts';

/** All that could be learned about the terms of a URL. */
export interface SiteTerms {
	readonly policies: HostPolicies;
	readonly page?: PageSignals;
	/** What was read, and what not and why, in the order of reading. */
	readonly read: readonly ReadNote[];
}

export interface ReadNote {
	readonly source: string;
	readonly note: string;
	/** Errors and warnings in the file. */
	readonly problems: number;
}

/** What of a site can matter for a question; default: everything. */
export interface SiteInterest {
	readonly page: boolean;
	/** `/.well-known/tdmrep.json`. */
	readonly tdmrep?: boolean;
}

/** Fetches what is needed to answer for a URL: the policy files, and the page itself where `self` may crawl and read it. */
export async function readSite(
	url: string,
	self: Agent,
	fetch: PoliteFetch,
	{ page: wantPage, tdmrep: wantTdmrep = true }: SiteInterest,
): Promise<SiteTerms> {
	const { origin } = new URL(url);
	const read: ReadNote[] = [];
	const load = async (from: string, redirects: number) => ({ from, answer: await fetch.get(from, redirects) });

	const robots = readRobots(await load(`${origin}/robots.txt`, policyRedirects), read);
	if (isUnreachable(robots)) return { policies: { robots }, read };
	keepPace({ robots }, self, url, fetch);
	const robots2 = await readRobots2(await load(`${origin}/robots2.txt`, policyRedirects), fetch, read);
	const known: HostPolicies = { robots, robots2 };
	const { decide } = keepPace(known, self, url, fetch);
	const mayFetch = (target: string) => decide('crawl', target).permitted && decide('read', target).permitted;

	const tdmUrl = `${origin}/.well-known/tdmrep.json`;
	const tdmrep = wantTdmrep && mayFetch(tdmUrl) ? readTdmrep(await load(tdmUrl, 0), read) : undefined;
	const policies = { ...known, ...(tdmrep && { tdmrep }) };
	if (!wantPage) return { policies, read };
	if (!mayFetch(url)) {
		read.push({ source: url, note: 'not requested: the policy forbids it for AIWebIndex', problems: 0 });
		return { policies, read };
	}
	const page = readPage(await load(url, 0), read);
	return { policies, read, ...(page && { page }) };
}

/** The slowest of what is asked for wins (AMB-08). */
function keepPace(policies: HostPolicies, self: Agent, url: string, fetch: PoliteFetch) {
	const prepared = preparePolicies(policies, self);
	fetch.setSitePace(url, { crawlDelay: prepared.crawlDelay, rate: prepared.obligations.ratePerMinute });
	return prepared;
}

interface Loaded {
	readonly from: string;
	readonly answer: FileAnswer;
}

function isUnreachable(file: object): boolean {
	return 'state' in file && file.state === 'unreachable';
}

/** Notes what was answered; gives the text, or what its absence means. */
function open(
	{ from, answer }: Loaded,
	stateOf: (status: number, contentType: string) => 'present' | MissingFile['state'],
	read: ReadNote[],
	countProblems: (text: Uint8Array) => number,
): { source: string; body: Uint8Array } | MissingFile {
	if (!answer.ok) {
		read.push({ source: from, note: `no response: ${answer.detail}`, problems: 0 });
		return { source: from, state: 'unreachable', detail: answer.detail };
	}
	const { url, status, contentType, body } = answer;
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
		const answer = await fetch.get(url, policyRedirects);
		const next = open({ from: url, answer }, robots2FileState, read, countRobots2Problems);
		return 'state' in next || !answer.ok ? undefined : { url: answer.url, text: next.body };
	}, first);
	for (const { code, args } of problems)
		read.push({ source: String(args.url), note: `not followed: ${code.replace('robots2-', '')}`, problems: 0 });
	return { files };
}

function readTdmrep(loaded: Loaded, read: ReadNote[]): HostPolicies['tdmrep'] {
	const file = open(loaded, robots2FileState, read, (body) => parseTdmrep(body).problems.length);
	return 'state' in file ? undefined : { source: file.source, file: parseTdmrep(file.body).value };
}

function readPage({ from, answer }: Loaded, read: ReadNote[]): PageSignals | undefined {
	if (!answer.ok || answer.status >= 300) {
		const note = answer.ok ? `${answer.status}, no page signals` : `no response: ${answer.detail}`;
		read.push({ source: from, note, problems: 0 });
		return undefined;
	}
	read.push({ source: from, note: `${answer.status}, the page itself`, problems: 0 });
	const isHtml = /\bx?html\b/i.test(answer.contentType);
	const tags = isHtml ? readHeadTags(textOf(answer.body), from) : {};
	return { source: from, headers: answer.headers, ...tags };
}

const serious = (problems: readonly { severity: string }[]) =>
	problems.filter(({ severity }) => severity !== 'info').length;

export function countRobotsProblems(text: string | Uint8Array): number {
	return serious(checkRobots(text)) + serious(checkUsageRecords(parseRobots(text).value));
}

export function countRobots2Problems(text: string | Uint8Array): number {
	return serious(checkRobots2(text));
}
