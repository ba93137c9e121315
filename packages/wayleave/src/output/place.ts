/** Where something stands: `FILE:LINE`, and the file alone for what has no lines (a header, an answer, silence). */
export function placeOf({ source, line }: { readonly source: string; readonly line: number }): string {
	return line > 0 ? `${source}:${line}` : source;
}
