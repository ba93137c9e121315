import { explainReason, isSpent, type PolicyNote, type UrlHistory } from '@wayleave/crawler';
import { limitTexts, obligationTexts } from '@wayleave/protocols/policy';
import { bytes, oneLine, placeOf, quantity } from '@wayleave/protocols/text';
import { leftBehind } from './status-text.ts';

/** The story of a URL, for people: where it was found, what was decided and why, what is kept, what comes next. */
export function historyText(history: UrlHistory): string {
	const sections: [string, string[]][] = [
		['found', foundLines(history)],
		['decided', decidedLines(history)],
		['fetched', fetchedLines(history)],
		['kept', keptLines(history)],
		['terms', termsLines(history)],
		['next', nextLines(history)],
	];
	const lines = sections.flatMap(([name, texts]) =>
		texts.map((text, at) => `${(at === 0 ? name : '').padEnd(10)}${oneLine(text)}`),
	);
	return `${history.url}\n${lines.join('\n')}\n`;
}

function foundLines({ seed, depth, foundBy, kind }: UrlHistory): string[] {
	const what = kind === 'sitemap' ? 'as a sitemap, ' : '';
	if (foundBy.length === 0) {
		const unasked = kind === 'sitemap' ? 'requested at its usual path' : 'listed in the manifest of its site';
		return [seed ? `${what}a start URL` : `${what}${unasked}`];
	}
	const [by, ...before] = foundBy;
	return [
		`${what}${quantity(depth, 'step')} from the start, on ${by}`,
		...before.map((url) => `which was found on ${url}`),
	];
}

function decidedLines({ outcome, reason, detail, evidence = [] }: UrlHistory): string[] {
	if (outcome === undefined) return ['not yet: waiting for a visit'];
	const why = reason === undefined ? '' : `, ${reason}: ${explainReason(reason)}`;
	return [
		`${outcome}${why}`,
		...(detail === undefined ? [] : [detail]),
		...evidence.map((line) => `${placeOf(line)}  ${line.text.trim()}`),
	];
}

function fetchedLines({ at, outcome, status, redirectedTo, attempts, page }: UrlHistory): string[] {
	if (at === undefined || attempts === 0) return [page === undefined ? 'never' : 'not in this run'];
	if (status === undefined && (outcome === 'refused' || outcome === 'unchanged'))
		return [`not requested; decided ${at}`];
	const statusText = status === undefined ? (outcome === 'failed' ? ', no response' : '') : `, status ${status}`;
	const tries = attempts > 1 ? `, ${quantity(attempts, 'try', 'tries')}` : '';
	return [`${at}${statusText}${tries}`, ...(redirectedTo === undefined ? [] : [`redirects to ${redirectedTo}`])];
}

function keptLines({ page }: UrlHistory): string[] {
	if (page === undefined) return ['nothing'];
	const { bytes: size, fetchedAt, checkedAt, etag, lastModified, policy, representation, capture } = page;
	const document = size === 0 ? 'no document' : `a document of ${bytes(size)}`;
	return [
		`${document}, fetched ${fetchedAt}, last seen ${checkedAt}`,
		...(etag === undefined ? [] : [`ETag ${etag}`]),
		...(lastModified === undefined ? [] : [`Last-Modified ${lastModified}`]),
		...(representation === undefined ? [] : [`read as ${representation.kind}: ${representation.why}`]),
		...(policy === undefined
			? []
			: [
					`uses: ${Object.entries(policy.uses)
						.map((use) => use.join(' '))
						.join(', ')}`,
				]),
		...(isSpent(policy) ? ['allowed for one use only: never reused, and requested again on the next visit'] : []),
		...termLines(policy),
		...(capture === undefined ? [] : [`archived in ${capture.archive}, record ${capture.id}`]),
	];
}

function termLines({ obligations = {}, limits = {} }: PolicyNote = { uses: {} }): string[] {
	const texts = [...obligationTexts(obligations), ...limitTexts(limits)];
	return texts.length === 0 ? [] : [`terms of the site: ${texts.join('; ')}`];
}

function termsLines({ policyFiles, manifest }: UrlHistory): string[] {
	const files = policyFiles.map(({ url, status, fetchedAt, expiresAt, unreachableSince }) =>
		unreachableSince === undefined
			? `${url} status ${status}, fetched ${fetchedAt}, valid until ${expiresAt}`
			: `${url} unreachable since ${unreachableSince}`,
	);
	if (manifest === undefined) return files;
	const site = `manifest: ${manifest.state}, trust: ${manifest.trust}, checked ${manifest.checkedAt}`;
	const hasEntries = manifest.state !== 'none' || manifest.entry !== undefined;
	return [...files, site, ...(hasEntries ? [`its entry: ${entryText(manifest)}`] : [])];
}

function entryText({ entry }: NonNullable<UrlHistory['manifest']>): string {
	if (entry === undefined) return 'none';
	const { state, rev, listedRev, digest } = entry;
	const fetched = rev === undefined ? 'none fetched' : `${rev} fetched`;
	return `${state}, revision ${listedRev} (${fetched})${digest === undefined ? '' : `, ${digest}`}`;
}

function nextLines({ outcome, due, host, revisit }: UrlHistory): string[] {
	if (host === undefined) return ['never: it was found but is out of scope'];
	const clock = Date.parse(host.nextAt) > Date.now() ? `, its host not before ${host.nextAt}` : '';
	if (outcome !== undefined)
		return [
			outcome === 'deferred'
				? `with the next run${clock}`
				: `${revisit === undefined ? 'at the next recheck' : `a recheck is due at ${revisit.nextAt}`}${clock}`,
		];
	const held = host.held ? ', its host is being visited now now' : `${clock}${host.abandoned ? leftBehind : ''}`;
	return [
		`${due === undefined ? 'next in its queue' : `not before ${due}`} among ${host.waiting} of ${host.name}${held}`,
	];
}
