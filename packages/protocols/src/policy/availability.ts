/** Whether a site has a policy file, told by the answer to the request for it. */
export type FileState = 'present' | 'none' | 'unreachable';

/**
 * The meaning of a final status, after redirects (RFC 9309 §2.3.1): 5xx, and 429 with it, mean that it is unknown;
 * other statuses but 2xx mean that there is no file.
 */
export function robotsFileState(status: number): FileState {
	if (status >= 200 && status < 300) return 'present';
	return status >= 500 || status === 429 ? 'unreachable' : 'none';
}

/** The same for robots2.txt, where an HTML page is a soft 404. */
export function robots2FileState(status: number, contentType = ''): FileState {
	const state = robotsFileState(status);
	return state === 'present' && /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType) ? 'none' : state;
}
