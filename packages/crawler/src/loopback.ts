/** Whether a host name means this machine, whatever a name server says. */
export function isLoopbackName(name: string): boolean {
	return name === 'localhost' || name.endsWith('.localhost') || name.startsWith('127.') || name === '[::1]';
}
