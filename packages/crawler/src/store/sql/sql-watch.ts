import { termsOfNote } from '../../model/page-terms.ts';
import type { Watch, WatchReader } from '../roles/watch.ts';
import type { ReadAccess } from '../schema/access.ts';
import { hasTable } from '../schema/has-table.ts';
import type { Db } from '../schema/tables.ts';
import { heldChanges, readLog, releaseChange } from '../watch/changes.ts';
import { claimNotices, countNotices, nextNotice, openReceivers, saveOutcome, saveReceiver } from '../watch/outbox.ts';
import {
	currentVersion,
	earlierVersions,
	hasBaseline,
	storedText,
	versionTexts,
	watchRecords,
} from '../watch/pages.ts';
import type { StoreSession } from './session.ts';

/** Held changes that are decided about at a time. */
const released = 100;

export function watchReader(reading: ReadAccess): WatchReader {
	const whereWatched = <Value>(otherwise: Value, work: (db: Db) => Promise<Value>): Promise<Value> =>
		reading.read(async (db) => ((await hasTable(db, 'watched')) ? work(db) : otherwise));
	return {
		log: (request) => whereWatched([], (db) => readLog(db, request)),
		earlier: (url) => whereWatched([], (db) => earlierVersions(db, url)),
		current: (url) => whereWatched<number | undefined>(undefined, (db) => currentVersion(db, url)),
		counts: () => whereWatched([], countNotices),
	};
}

export function sqlWatch(session: StoreSession): Watch {
	const { dialect } = session;
	const time = () => ({ dialect, now: session.now() });
	return {
		...watchReader(session),
		hasBaseline: () => session.read((db) => hasBaseline(db, session.run, dialect.shared)),
		records: (urls) => session.read((db) => watchRecords(db, urls, dialect)),
		stored: (url) => session.read((db) => storedText(db, url, session.bodies, ({ policy }) => termsOfNote(policy))),
		texts: (url, version) => session.read((db) => versionTexts(db, url, version, session.bodies)),
		async release(receivers, decide) {
			for (;;) {
				const held = await session.read((db) => heldChanges(db, released));
				for (const change of held) {
					const decided = await decide(change);
					await session.write((tx) => releaseChange(tx, change.number, decided, receivers));
				}
				if (held.length < released) return;
			}
		},
		receivers: (addresses) => session.write((tx) => openReceivers(tx, addresses, time())),
		claim: (receiver, limit, lease) => session.write((tx) => claimNotices(tx, { receiver, limit, lease }, time())),
		saveOutcome: (outcome) => session.write((tx) => saveOutcome(tx, outcome, time())),
		nextNotice: (receiver) => session.read((db) => nextNotice(db, receiver, time())),
		setReceiver: (receiver) => session.write((tx) => saveReceiver(tx, receiver, time())),
	};
}
