import type { Problem } from '@wayleave/protocols';
import { type Manifest, parseManifest } from '@wayleave/protocols/pagedigest';
import { type ListedColumns, packListed, unpackListed } from './columns.ts';
import { largestManifest } from './fetch-manifest.ts';
import { type Changes, planChanges } from './plan.ts';

/** Most anomalies to report. */
const maxAnomalies = 100;

/** Plain data, so that the work can be done in a thread. */
export interface ManifestSource {
	readonly body: Uint8Array;
	/** The recorded URLs of the site. */
	readonly known: ListedColumns;
	readonly settledRev: number | undefined;
	readonly seenRev: number | undefined;
}

/** A manifest and the changes it makes, or its faults. */
export type ManifestReading =
	| { readonly manifest?: undefined; readonly problems: readonly Problem[] }
	| {
			readonly manifest: Omit<Manifest, 'entries'>;
			readonly entries: number;
			readonly changes: Omit<Changes, 'listed' | 'added'>;
			readonly listed: ListedColumns;
			/** Keys that were not known before, one a line. */
			readonly added: string;
	  };

/** From the bytes of a manifest to what it changes: everything that takes time. */
export function readManifest({ body, known, settledRev, seenRev }: ManifestSource): ManifestReading {
	const { value, problems } = parseManifest(body, { maxBytes: largestManifest });
	if (value === undefined) return { problems };
	const before = [...unpackListed(known, Number.MAX_SAFE_INTEGER)].flat();
	const { listed, added, ...changes } = planChanges(before, settledRev, seenRev, value);
	const { entries, ...manifest } = value;
	const { plan } = changes;
	// The last one sums up what the others say.
	const anomalies = [...plan.anomalies.slice(0, maxAnomalies), ...plan.anomalies.slice(maxAnomalies).slice(-1)];
	const bounded = { ...changes, plan: { ...plan, anomalies } };
	return { manifest, entries: entries.size, changes: bounded, listed: packListed(listed), added: added.join('\n') };
}
