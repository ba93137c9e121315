/** A consumer's claim of what it has seen (pagedigest §5.4). It authenticates nothing and grants nothing. */
export interface PageDigestState {
	readonly siteRev: number;
	/** The origin-relative path of the manifest. */
	readonly manifest?: string;
}

/** `absolute-path` of RFC 9110 §4.1, without an authority before it. */
const absolutePath = /^\/(?!\/)(?:[\w.~!$&'()*+,;=:@/-]|%[\dA-Fa-f]{2})*$/;
const form = /^site_rev=(0|[1-9]\d{0,15})(?:; manifest="([^"]*)")?$/;

/**
 * The value of `PageDigest-State`. Only a revision that was seen at the very origin of the request may be sent.
 *
 * @throws RangeError when the revision is no natural number or the path is no absolute path.
 */
export function buildPageDigestState({ siteRev, manifest }: PageDigestState): string {
	const value = `site_rev=${siteRev}${manifest === undefined ? '' : `; manifest="${manifest}"`}`;
	if (parsePageDigestState(value) === undefined)
		throw new RangeError(`not a PageDigest-State: ${JSON.stringify(value)}`);
	return value;
}

/** Reads `PageDigest-State`; a value that departs from the grammar is no signal at all, and never an error (§5.4). */
export function parsePageDigestState(value: string): PageDigestState | undefined {
	const parts = form.exec(value);
	if (parts === null) return undefined;
	const [, digits, manifest] = parts;
	const siteRev = Number(digits);
	if (!Number.isSafeInteger(siteRev)) return undefined;
	if (manifest === undefined) return { siteRev };
	return absolutePath.test(manifest) ? { siteRev, manifest } : undefined;
}
