import { useEffect, useMemo, useState } from 'preact/hooks';

/**
 * The query of the address, which says what a view shows: a view can be bookmarked and shared. The component renders
 * again when the query changes.
 */
export function useQuery(): URLSearchParams {
	const [search, setSearch] = useState(location.search);
	useEffect(() => {
		const read = () => setSearch(location.search);
		addEventListener('popstate', read);
		return () => removeEventListener('popstate', read);
	}, []);
	return useMemo(() => new URLSearchParams(search), [search]);
}

/** Goes to another query of this page: the browser's way back returns to this one. */
export function navigate(query: string): void {
	history.pushState(null, '', query);
	dispatchEvent(new PopStateEvent('popstate'));
}

type Changes = Readonly<Record<string, string | undefined>>;

/** A query with some members set or, by undefined, removed. */
export function queryWith(changes: Changes, query: URLSearchParams = new URLSearchParams(location.search)): string {
	const merged = new URLSearchParams(query);
	for (const [name, value] of Object.entries(changes)) {
		if (value === undefined) merged.delete(name);
		else merged.set(name, value);
	}
	return `?${merged}`;
}

/** Links to `?…` change the query without loading the page again. */
export function followQueryLinks(): void {
	document.addEventListener('click', (event) => {
		const link = event.target instanceof Element ? event.target.closest('a') : null;
		const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0);
		if (!isPlain || event.defaultPrevented || !link?.getAttribute('href')?.startsWith('?')) return;
		event.preventDefault();
		navigate(link.search || '?');
	});
}
