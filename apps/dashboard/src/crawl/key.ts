import { authorise } from '../ui/index.ts';

const place = 'wayleave-key';

/**
 * Takes the key out of the address that the command printed (`#key=…`), so that it is in no bookmark, and keeps it for
 * this tab. Returns whether there is one.
 */
export function takeKey(): boolean {
	const given = /^#key=([\w-]+)$/.exec(location.hash)?.[1];
	if (given !== undefined) history.replaceState(null, '', location.pathname + location.search);
	const key = given ?? kept();
	if (key === undefined) return false;
	useKey(key);
	return true;
}

/** The key in a text that a person pasted: the whole address, or the key alone. */
export function readKey(text: string): string | undefined {
	return /(?:^|#key=)([\w-]{32,})$/.exec(text.trim())?.[1];
}

export function useKey(key: string): void {
	authorise(key);
	try {
		sessionStorage.setItem(place, key);
	} catch {
		// A browser without storage asks for the key after each reload.
	}
}

function kept(): string | undefined {
	try {
		return sessionStorage.getItem(place) ?? undefined;
	} catch {
		return undefined;
	}
}
