import { setImmediate } from 'node:timers/promises';
import type { FetchSuccess } from '@wayleave/io/http';
import type { Problem } from '@wayleave/protocols';
import { manifestPath } from '@wayleave/protocols/pagedigest';
import type { CrawlEvent, ManifestEvent } from '../model/events.ts';
import type { HostSlot, NotScheduled } from '../politeness/host-slot.ts';
import type { SendRequest } from '../politeness/requester.ts';
import { validatorsOf } from '../response/validators.ts';
import type { ChangeRecords, ListedUrl } from '../store/roles/changes.ts';
import { packListed, unpackListed } from './columns.ts';
import { fetchManifest } from './fetch-manifest.ts';
import type { ManifestReader } from './manifest-reader.ts';
import type { Changes } from './plan.ts';
import type { ChangeProblemCode } from './problems.ts';
import type { ManifestReading } from './read-manifest.ts';
import type { Site } from './site.ts';

/** URLs read or written at a time; between two pieces others have their turn. */
const pieceSize = 1000;
/** Problems of a manifest that are reported one by one. */
const maxProblems = 3;
/** A manifest older than this counts as unmaintained (pagedigest §5.2.1); milliseconds. */
const implausiblyOld = 365 * 24 * 60 * 60 * 1000;

export interface ManifestTools {
	readonly store: ChangeRecords;
	readonly send: SendRequest;
	readonly now: () => number;
	readonly emit: (event: CrawlEvent) => void;
	/** Called with the URLs that are new in the manifest, in batches. */
	readonly onAdded: (urls: readonly string[]) => Promise<void>;
	readonly reader: ManifestReader;
	/** Does one thing after the other. */
	readonly alone: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

/** A database in this process answers before anybody else has had a turn. */
const othersTurn = () => setImmediate();

type Readable = Extract<ManifestReading, { readonly entries: number }>;
type ManifestReport = Omit<ManifestEvent, 'type' | 'url'>;

/** Asks for the manifest of a site and remembers what it says. Undefined when that is done. */
export async function updateSite(site: Site, slot: HostSlot, tools: ManifestTools): Promise<NotScheduled | undefined> {
	const fetched = await fetchManifest(site.record, slot, tools.send);
	if (typeof fetched === 'string') return fetched;
	const tell = (event: ManifestReport) =>
		tools.emit({ type: 'manifest', url: site.record.origin + manifestPath, ...event });
	if (fetched.state === 'unchanged') {
		const { settledRev, siteRev } = site.record;
		site.update({ state: 'read', fresh: false, stayed: settledRev !== undefined && settledRev === siteRev });
		tell({ state: 'unchanged', ...(siteRev !== undefined && { siteRev }) });
		return undefined;
	}
	if (fetched.state !== 'read') {
		site.update({ state: fetched.state, fresh: false, stayed: false });
		tell(fetched);
		return undefined;
	}
	await tools.alone(async () => tell(await remember(site, fetched.response, tools)));
	return undefined;
}

/** Reads a manifest and stores its records. */
async function remember(site: Site, response: FetchSuccess, tools: ManifestTools): Promise<ManifestReport> {
	const known = packListed(await loadListed(site.record.id, tools.store));
	const { settledRev, siteRev: seenRev } = site.record;
	const reading = await tools.reader.read({ body: response.body, known, settledRev, seenRev });
	if (reading.manifest === undefined) {
		site.update({ state: 'invalid', fresh: false, stayed: false });
		tellProblems(reading.problems, site, tools);
		return { state: 'invalid', detail: reading.problems[0]?.code ?? 'unreadable' };
	}
	const { manifest, entries, changes } = reading;
	const anomalous = changes.plan.fallback === 'site';
	if (anomalous) await dropManifest(site, changes, tools);
	else await keepManifest(site, reading, validatorsOf(response), tools);
	return { state: anomalous ? 'anomalous' : 'read', siteRev: manifest.siteRev, entries, ...changes.counts };
}

async function loadListed(site: number, store: ChangeRecords): Promise<ListedUrl[]> {
	const all: ListedUrl[] = [];
	for (let after = ''; ; ) {
		const piece = await store.listed(site, after, pieceSize);
		all.push(...piece);
		if (piece.length < pieceSize) return all;
		after = piece.at(-1)?.key ?? after;
		await othersTurn();
	}
}

/** The site as a whole goes backwards: crawl as if there were no manifest (pagedigest §4.1). */
async function dropManifest(
	site: Site,
	{ plan }: Pick<Changes, 'plan'>,
	{ store, emit }: ManifestTools,
): Promise<void> {
	const { record } = site;
	await store.forgetListed(record.id);
	const { etag: _, lastModified: __, settledRev: ___, siteRev: ____, ...rest } = record;
	site.replace({ ...rest, state: 'anomalous', fresh: false, stayed: false });
	site.apply({ kind: 'site-anomaly' });
	for (const anomaly of plan.anomalies) {
		if (anomaly.kind === 'rev-decreased') continue;
		const detail =
			anomaly.kind === 'site-rev-decreased'
				? `${anomaly.before} to ${anomaly.after}`
				: `${anomaly.decreased} of ${anomaly.compared} URLs`;
		const code: ChangeProblemCode =
			anomaly.kind === 'site-rev-decreased' ? 'pagedigest-site-rev-decreased' : 'pagedigest-rev-decreased-widely';
		emit({ type: 'problem', code, source: record.origin + manifestPath, detail });
	}
}

async function keepManifest(
	site: Site,
	{ manifest: { siteRev, generated, coverage }, changes, listed, added }: Readable,
	validators: { readonly etag?: string; readonly lastModified?: string },
	tools: ManifestTools,
): Promise<void> {
	const { store, now, onAdded, emit } = tools;
	const { id, origin, settledRev, ...before } = site.record;
	const source = origin + manifestPath;
	// Reported before they are listed: the next run takes listed URLs for reported ones.
	const keys = added === '' ? [] : added.split('\n');
	for (let at = 0; at < keys.length; at += pieceSize) {
		await onAdded(keys.slice(at, at + pieceSize).map((key) => origin + key));
		await othersTurn();
	}
	for (const piece of unpackListed(listed, pieceSize)) {
		await store.saveListed(id, piece);
		await othersTurn();
	}
	const { etag: _, lastModified: __, coverage: ___, ...rest } = before;
	const settled = changes.settledRev === 'keep' ? settledRev : siteRev;
	site.replace({
		...rest,
		id,
		origin,
		state: 'read',
		siteRev,
		generated,
		...(coverage && { coverage }),
		...validators,
		...(settled !== undefined && { settledRev: settled }),
		fresh: siteRev !== before.siteRev || generated !== before.generated,
		stayed: settledRev === siteRev,
	});
	for (const anomaly of changes.plan.anomalies.slice(0, maxProblems)) {
		if (anomaly.kind !== 'rev-decreased') continue;
		const detail = `${anomaly.key}: ${anomaly.before} to ${anomaly.after}`;
		emit({ type: 'problem', code: 'pagedigest-rev-decreased', source, detail });
		site.apply({ kind: 'rev-decreased', key: anomaly.key });
	}
	if (changes.massRemoval)
		emit({ type: 'problem', code: 'pagedigest-mass-removal', source, detail: `${changes.counts.removed} URLs` });
	if (now() - Date.parse(generated) > implausiblyOld) {
		site.apply({ kind: 'soft-evidence' });
		emit({ type: 'problem', code: 'pagedigest-stale', source, detail: generated });
	}
}

function tellProblems(problems: readonly Problem[], { record }: Site, { emit }: ManifestTools): void {
	const errors = problems.filter(({ severity }) => severity === 'error');
	for (const { code, line } of errors.slice(0, maxProblems))
		emit({ type: 'problem', code, source: record.origin + manifestPath, line });
}
