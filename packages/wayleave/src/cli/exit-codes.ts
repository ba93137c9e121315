/** Meaning of 0 and 1 for each command; 2, 3 and 130 are the same everywhere. Source of help, man page and docs. */
export const exitTexts: Readonly<Record<string, readonly [ok: string, found: string]>> = {
	crawl: ['done (see the table for pages that failed)', 'no page was fetched'],
	fetch: ['the page was fetched', 'the page was refused, failed, or has no content'],
	convert: ['everything was converted, or as much as --tolerate wants', 'a page or a file could not be converted'],
	store: ['done', 'nothing was found'],
	'store status': ['done', 'not used'],
	'store explain': ['the URL is known', 'it is not'],
	'store diff': ['the difference was shown', 'the store has no such page or version'],
	'store notices': ['done', 'no crawl has sent notices'],
	'store feed': ['done', 'not used'],
	'store export': ['documents were written', 'there were no documents to write'],
	'store aliases': ['shown', 'not used'],
	'store ui': ['stopped by a signal', 'not used'],
	'store prune': ['done', 'not used'],
	'store forget': ['removed, or allowed again', 'with --undo: it was not forgotten'],
	som: ['the page was compiled', 'the page was refused, failed, or has no content'],
	check: ['the use is permitted', 'it is not'],
	'check-live': ['the site matches the policy file', 'it differs'],
	lint: ['no errors', 'errors were found'],
	init: ['the file was written', 'not used'],
	publish: ['published', 'published, with errors'],
	gateway: ['stopped by a signal', 'not used'],
	agents: ['an agent was found', 'there is no such agent'],
	'agents explain': ['the User-Agent names an agent', 'it does not'],
	report: ['done', 'not used'],
	ranges: ['done', 'errors were found'],
	'ranges build': ['the list was written', 'a line is not a range, or the list is empty: nothing was written'],
	'ranges lookup': ['every address is listed', 'an address is not listed'],
	'ranges merge': ['the list was written', 'a file is not a list: nothing was written'],
	'ranges check': ['no errors', 'errors were found'],
	digest: ['done', 'errors were found'],
	'digest build': ['the manifest was written', 'a file cannot be used: nothing was written'],
	'digest diff': ['the second manifest is a valid successor of the first', 'it is not, or a file is not a manifest'],
	'digest audit': ['every digest matches', 'a page differs or is missing'],
	serve: ['stopped by a signal', 'not used'],
	verify: ['the domain is proven', 'it is not'],
	keys: ['done', 'there is no such key'],
	'keys create': ['the key was made', 'not used'],
	'keys list': ['done', 'not used'],
	'keys revoke': ['the key is revoked', 'there is no such key'],
	'keys rotate': ['the key has a new token', 'there is no such key'],
	conformance: ['every requirement is shown by tests', 'some are not'],
	mcp: ['the client has ended', 'not used'],
	demo: ['done', 'no page was fetched'],
	completion: ['done', 'not used'],
};

/** Commands that ask hosts: for them no answer at all is 3, which must not look like a no. */
export const asksHosts: ReadonlySet<string> = new Set(['crawl', 'fetch', 'som', 'check', 'check-live', 'lint', 'demo']);

/** The codes of a command, each with its meaning. */
export function exitCodesOf(path: string): readonly (readonly [code: number, meaning: string])[] {
	const [ok, found] = exitTexts[path] ?? ['done', 'errors were found'];
	return [
		[0, ok],
		[1, found],
		[2, 'wrong usage'],
		[
			3,
			path === '' || path === 'verify' || asksHosts.has(path) ? 'could not run, or no host responded' : 'could not run',
		],
		[130, 'interrupted'],
	];
}

/** The line that ends each help text. */
export function exitLine(path: string): string {
	const codes = exitCodesOf(path).map(([code, meaning]) => `${code} ${meaning}`);
	return `Exit codes: ${codes.join('; ')}.`;
}
