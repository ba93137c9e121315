import type { LineOptions } from './sinks/line.ts';
import type { LineStream } from './sinks/stream.ts';
import type { Sink } from './sinks/types.ts';

export type { LineOptions, LineStream, Sink };

/** The target of an output. */
export interface OutputTarget {
	/** Absolute. */
	readonly path: string;
	readonly lines: LineOptions;
	readonly stdout: LineStream;
}

export interface OutputFormat {
	/** As help, errors and docs name it. */
	readonly written: string;
	/** The names that select it. */
	readonly pattern: RegExp;
	/** Whether it contains chunks, if they are asked for. */
	readonly chunks: boolean;
	/** Whether it holds requests and responses, which only a crawl has. */
	readonly archive: boolean;
	/** Its writer is loaded when it is opened. */
	open(target: OutputTarget): Promise<Sink>;
}

/** Outputs that `--out` can name, in the order of help. */
export const outputFormats = {
	jsonl: {
		written: 'FILE.jsonl',
		pattern: /\.(?:jsonl|ndjson)$/i,
		chunks: true,
		archive: false,
		open: async ({ path, lines }) => (await import('./sinks/jsonl.ts')).jsonlSink(path, lines),
	},
	parquet: {
		written: 'FILE.parquet',
		pattern: /\.parquet$/i,
		chunks: true,
		archive: false,
		open: async ({ path, lines }) => (await import('./sinks/parquet.ts')).parquetSink(path, lines),
	},
	warc: {
		written: 'FILE.warc.gz',
		pattern: /\.warc(?:\.gz)?$/i,
		chunks: false,
		archive: true,
		open: async ({ path }) => (await import('./warc/write/sink.ts')).warcSink(path),
	},
	folder: {
		written: 'a folder/ for Markdown',
		pattern: /[/\\]$/,
		chunks: false,
		archive: false,
		open: async ({ path, lines }) => (await import('./sinks/markdown.ts')).markdownSink(path, lines),
	},
	stdout: {
		written: '- for stdout',
		pattern: /^-$/,
		chunks: true,
		archive: false,
		open: async ({ stdout, lines }) => (await import('./sinks/stream.ts')).streamSink(stdout, lines),
	},
} as const satisfies Readonly<Record<string, OutputFormat>>;

export type OutputFormatName = keyof typeof outputFormats;
