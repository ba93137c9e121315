/**
 * Where a text stops being JSON, as far as the engine says so.
 *
 * @param error what `JSON.parse` has thrown
 */
export function explainJsonError(error: unknown, text: string): string {
	const said = error instanceof Error ? error.message : '';
	const [, offset] = /at position (\d+)/.exec(said) ?? [];
	const at = offset !== undefined ? Number(offset) : /unexpected end/i.test(said) ? text.length : undefined;
	if (at === undefined) return 'not valid JSON';
	const lines = text.slice(0, at).split('\n');
	return `not valid JSON: see line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
