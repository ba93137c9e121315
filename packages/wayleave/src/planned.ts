/** Commands that the interfaces name and that are not built yet: asking for one is an error that says so. */
export const plannedCommands: Readonly<Record<string, string>> = {
	mcp: 'the same abilities as tools for an assistant',
};
