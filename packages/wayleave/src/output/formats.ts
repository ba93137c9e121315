/** What `--out` can name, in the order in which help names it. Help, errors and docs are made of this table. */
export const outFormats = {
	jsonl: { written: 'FILE.jsonl', pattern: /\.(?:jsonl|ndjson)$/i },
	parquet: { written: 'FILE.parquet', pattern: /\.parquet$/i },
	warc: { written: 'FILE.warc.gz', pattern: /\.warc(?:\.gz)?$/i },
	folder: { written: 'a folder/ for Markdown', pattern: /[/\\]$/ },
	stdout: { written: '- for stdout', pattern: /^-$/ },
} as const satisfies Record<string, { readonly written: string; readonly pattern: RegExp }>;

export type OutFormat = keyof typeof outFormats;

const names = Object.keys(outFormats) as OutFormat[];

/** The format that the name says; undefined where it says none, as that of a folder without a slash. */
export const outFormatOf = (out: string): OutFormat | undefined =>
	names.find((name) => outFormats[name].pattern.test(out));

/** `FILE.jsonl, FILE.parquet, a folder/ for Markdown, or - for stdout`: all formats but some. */
export function outFormatsText(...without: readonly OutFormat[]): string {
	const written = names.filter((name) => !without.includes(name)).map((name) => outFormats[name].written);
	return `${written.slice(0, -1).join(', ')}, or ${written.at(-1)}`;
}

/** What `--format` of `fetch` and `convert` prints. */
export const documentFormats = ['json', 'markdown', 'som'] as const;
export type DocumentFormat = (typeof documentFormats)[number];
