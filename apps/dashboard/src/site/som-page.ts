/** The page of a request to the SOM endpoint (`/v1/som?url=…`): its path, or its URL if it is of another site. */
export function pageOfSom(path: string, site: string): string | undefined {
	const at = path.indexOf('?');
	if (at === -1 || !path.slice(0, at).endsWith('/som')) return undefined;
	const url = URL.parse(new URLSearchParams(path.slice(at)).get('url') ?? '');
	if (url === null) return undefined;
	return url.origin === URL.parse(site)?.origin ? url.pathname + url.search : url.href;
}
