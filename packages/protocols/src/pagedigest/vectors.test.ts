import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { needsShared, sharedPath } from '../../../../scripts/shared.ts';
import {
	auditDigest,
	checkSuccession,
	compareManifests,
	type Manifest,
	parseManifest,
	parsePageDigestState,
} from './index.ts';

interface Case {
	readonly id: string;
	readonly kind: string;
	readonly file?: string;
	readonly files?: readonly [string, string];
	readonly manifest?: string;
	readonly body?: string;
}

const folder = sharedPath('vectors/pagedigest/test-vectors');
const bytes = (name: string) => readFileSync(`${folder}/${name}`);
const { cases } = (folder === undefined ? { cases: [] } : JSON.parse(bytes('index.json').toString())) as {
	cases: Case[];
};

function manifest(name: string): Manifest {
	const { value, problems } = parseManifest(bytes(name));
	expect(problems).toEqual([]);
	return value!;
}

/** What each kind of case asks for. */
const judges: Readonly<Record<string, (entry: Case) => void>> = {
	valid: ({ file }) => void manifest(file!),
	'invalid-schema': ({ file }) => expect(parseManifest(bytes(file!)).value).toBeUndefined(),
	'invalid-spec': ({ file }) => expect(parseManifest(bytes(file!)).value).toBeUndefined(),
	'semantic-site-rev-bump': ({ files }) => {
		const [before, after] = files!.map(manifest) as [Manifest, Manifest];
		expect(checkSuccession(before, after)).toEqual([]);
		expect(checkSuccession(before, { ...after, siteRev: before.siteRev })).toMatchObject([
			{ code: 'pagedigest-site-rev-not-raised' },
		]);
	},
	'semantic-rev-bump': ({ files }) => {
		const [before, after] = files!.map(manifest) as [Manifest, Manifest];
		expect(checkSuccession(before, after)).toEqual([]);
		expect(compareManifests(before, after).fetch).toMatchObject([{ key: '/article', reason: 'changed' }]);
	},
	'anomalous-sequence': ({ files }) => {
		const [before, after] = files!.map(manifest) as [Manifest, Manifest];
		expect(compareManifests(before, after)).toMatchObject({
			fallback: 'site',
			anomalies: [{ kind: 'site-rev-decreased' }],
		});
		const raised = compareManifests(before, { ...after, siteRev: before.siteRev + 1 });
		expect(raised).toMatchObject({ fallback: 'urls', anomalies: [{ kind: 'rev-decreased', key: '/docs/start' }] });
	},
	'semantic-site-rev-equal': ({ files }) => {
		const [before, after] = files!.map(manifest) as [Manifest, Manifest];
		expect(compareManifests(before, after)).toMatchObject({ fetch: [], fallback: 'none' });
	},
	'semantic-complete-removal': ({ files }) => {
		const [before, after] = files!.map(manifest) as [Manifest, Manifest];
		expect(compareManifests(before, after)).toMatchObject({ gone: ['/about'], fetch: [], unchanged: ['/'] });
	},
	'audit-match': (entry) => expect(audit(entry)).toBe('match'),
	'audit-mismatch': (entry) => expect(audit(entry)).toBe('mismatch'),
	'request-header-syntax': ({ file }) => {
		const vectors = JSON.parse(bytes(file!).toString()) as {
			cases: { value: string; valid: boolean; parsed?: { site_rev: number; manifest?: string } }[];
		};
		for (const { value, valid, parsed } of vectors.cases) {
			const read = parsePageDigestState(value);
			expect(read !== undefined, value).toBe(valid);
			if (parsed !== undefined)
				expect(read).toEqual({ siteRev: parsed.site_rev, ...(parsed.manifest && { manifest: parsed.manifest }) });
		}
	},
};

function audit({ manifest: file, body }: Case): string {
	const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest();
	return auditDigest(manifest(file!).entries.get('/audit')!, { status: 200, body: bytes(body!) }, sha256).verdict;
}

describe.skipIf(folder === undefined)(`the published vectors ${needsShared}`, () => {
	it.each(cases)('$kind: $id', (entry) => {
		expect(judges[entry.kind], entry.kind).toBeDefined();
		judges[entry.kind]!(entry);
	});
});
