/** Whether a host name means this machine, whatever a name server says. */
export function isLoopbackName(name: string): boolean {
	return isLocalhost(name) || /^127(?:\.\d+){3}$/.test(name) || name === '[::1]';
}

/** RFC 6761 §6.3: `localhost`, and all names below it. */
export function isLocalhost(name: string): boolean {
	return name === 'localhost' || name.endsWith('.localhost');
}
