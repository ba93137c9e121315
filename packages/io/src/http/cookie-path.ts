/** Whether a cookie with a path goes with a request (RFC 6265 §5.1.4). */
export function isBelow(path: string, prefix: string): boolean {
	return path === prefix || (path.startsWith(prefix) && (prefix.endsWith('/') || path[prefix.length] === '/'));
}
