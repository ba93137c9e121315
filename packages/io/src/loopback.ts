/** Whether a host name means this machine, whatever a name server says. */
export function isLoopbackName(name: string): boolean {
	return name === 'localhost' || name.endsWith('.localhost') || /^127(?:\.\d+){3}$/.test(name) || name === '[::1]';
}
