import { type OutputFormat, outputFormats } from '@wayleave/crawler/formats';

const formats: readonly OutputFormat[] = Object.values(outputFormats);

/** The format that the name says; undefined where it says none, as that of a folder without a slash. */
export const outFormatOf = (out: string): OutputFormat | undefined => formats.find(({ pattern }) => pattern.test(out));

/** The key of that format. */
export const outFormatNameOf = (out: string): string | undefined =>
	Object.entries(outputFormats).find(([, { pattern }]) => pattern.test(out))?.[0];

/** A list for help and errors: `FILE.jsonl, a folder/ for Markdown, or - for stdout`. */
export function outFormatsText(isWanted: (format: OutputFormat) => boolean = () => true): string {
	const texts = formats.filter(isWanted).map(({ written }) => written);
	return `${texts.slice(0, -1).join(', ')}, or ${texts.at(-1)}`;
}

/** For outputs that no crawl fills. */
export const isNoArchive = ({ archive }: OutputFormat): boolean => !archive;

/** Formats of `--format` of `fetch` and `convert`. */
export const documentFormats = ['json', 'markdown', 'som'] as const;
export type DocumentFormat = (typeof documentFormats)[number];
