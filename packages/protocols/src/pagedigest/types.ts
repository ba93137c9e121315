/** The algorithm and the lowercase hexadecimal hash: `sha256:` and 64 digits. */
export type Digest = `sha256:${string}`;

/** The entry of one URL (pagedigest §3.2). */
export interface ManifestEntry {
	/** Rises whenever the content changes. */
	readonly rev: number;
	/** Hash of the identity-encoded body. */
	readonly digest?: Digest;
	/** ISO 8601 in UTC; for people only. */
	readonly modified?: string;
}

/** The part of the site that the manifest covers (pagedigest §3.1). */
export type Coverage =
	| { readonly mode: 'complete' }
	| { readonly mode: 'prefixes'; readonly prefixes: readonly string[] };

/** A manifest of version 1 (pagedigest §3). Members that the draft does not define are not kept. */
export interface Manifest {
	readonly version: 1;
	/** ISO 8601 in UTC; for people only. */
	readonly generated: string;
	/** Rises whenever any covered URL changes, comes or goes. */
	readonly siteRev: number;
	readonly coverage?: Coverage;
	/** By origin-relative request target, byte for byte as listed. */
	readonly entries: ReadonlyMap<string, ManifestEntry>;
}

/** Path of the manifest on every origin (pagedigest §2). */
export const manifestPath = '/.well-known/pagedigest.json';

/** The relation by which pages announce the manifest (pagedigest §2.1). */
export const manifestRelation = 'https://pagedigest.org/rel';
