import { randomUUID } from 'node:crypto';
import { databaseName } from '@wayleave/io/sql';
import { CrawlError } from '../../base/errors.ts';
import type { MemberName, MemberRecord } from '../sql/group-member.ts';

/** A database that is to be one of several. */
export interface Candidate {
	readonly url: string;
	record(): Promise<MemberRecord | undefined>;
	isUsed(): Promise<boolean>;
	register(id: string, members: readonly MemberName[]): Promise<MemberRecord | undefined>;
}

/**
 * Finds out which databases of a crawl these are, or makes them the databases of a new one.
 *
 * @returns the candidates in the order of the crawl, with their ids
 * @throws CrawlError `store-unreadable` where they are not exactly those of one crawl
 */
export async function registerMembers<Each extends Candidate>(
	candidates: readonly Each[],
): Promise<{ readonly id: string; readonly candidate: Each }[]> {
	const sorted = candidates.toSorted((a, b) => (databaseName(a.url) < databaseName(b.url) ? -1 : 1));
	const found = new Map<Each, MemberRecord | undefined>();
	for (const candidate of sorted) found.set(candidate, await candidate.record());
	const members = [...found.values()].find(Boolean)?.members ?? (await begin(sorted));
	for (const candidate of sorted) {
		const record = found.get(candidate) ?? (await candidate.record());
		found.set(candidate, record ?? (await join(candidate, members, [...found.values()])));
	}
	const ordered = members.map(({ id }) => {
		const candidate = sorted.find((each) => found.get(each)?.id === id);
		if (candidate === undefined) throw otherMembers(members);
		return { id, candidate };
	});
	const isSame = (record: MemberRecord | undefined) => JSON.stringify(record?.members) === JSON.stringify(members);
	if (ordered.length !== sorted.length || ![...found.values()].every(isSame)) throw otherMembers(members);
	return ordered;
}

/** The first database decides, whichever process is first. */
async function begin(sorted: readonly Candidate[]): Promise<readonly MemberName[]> {
	for (const candidate of sorted) await refuseUsed(candidate);
	const members = sorted.map(({ url }) => ({ id: randomUUID(), name: databaseName(url) }));
	const record = await sorted[0]?.register(members[0]?.id ?? '', members);
	return record?.members ?? members;
}

/** A database that a process did not come to register before it died. */
async function join(
	candidate: Candidate,
	members: readonly MemberName[],
	records: readonly (MemberRecord | undefined)[],
): Promise<MemberRecord | undefined> {
	const taken = new Set(records.map((record) => record?.id));
	const free = members.find(({ id }) => !taken.has(id));
	if (free === undefined) throw otherMembers(members);
	await refuseUsed(candidate);
	return candidate.register(free.id, members);
}

async function refuseUsed(candidate: Candidate): Promise<void> {
	if (!(await candidate.isUsed())) return;
	const message = `${databaseName(candidate.url)} holds a crawl of its own, whose hosts cannot be moved: begin a crawl with several databases in empty ones (wayleave store export writes the pages of the old one)`;
	throw new CrawlError('store-unreadable', message);
}

function otherMembers(members: readonly MemberName[]): CrawlError {
	const all = members.map(({ name }) => name).join(', ');
	const message = `the crawl lies in ${members.length} databases (${all}): pass --store for exactly these. A database cannot be added or removed later, since hosts would have to move; for another number of databases, begin a new crawl`;
	return new CrawlError('store-unreadable', message);
}
