import type { LineOptions } from './sinks/line.ts';
import type { RollingTarget } from './sinks/rolling/open.ts';
import type { LineStream } from './sinks/stream.ts';
import type { Sink } from './sinks/types.ts';

export type { LineOptions, LineStream, Sink };

/** The target of an output. */
export interface OutputTarget extends RollingTarget {
	/** Absolute. */
	readonly path: string;
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
	rolling: {
		written: "rolling files ('FOLDER/*.jsonl.gz', 's3://BUCKET/FOLDER/*.parquet')",
		// An object, or a star in the last part of the name: `s3://b/x.jsonl?region=eu`, `out/*.jsonl.zst`.
		pattern: /^(?:s3:[^?]*|.*\*[^/\\]*)(?:\.(?:jsonl|ndjson)(?:\.gz|\.zst)?|\.parquet)(?:\?.*)?$/i,
		chunks: true,
		archive: false,
		open: async (target) => (await import('./sinks/rolling/open.ts')).openRolling(target),
	},
	rollingArchive: {
		written: "'FOLDER/*.warc.gz' for rolling archives",
		pattern: /^(?:s3:[^?]*|.*\*[^/\\]*)\.warc(?:\.gz)?(?:\?.*)?$/i,
		chunks: false,
		archive: true,
		open: async (target) => {
			const { warcFormat } = await import('./warc/write/rolling-format.ts');
			const format = warcFormat(/\.gz(?:\?.*)?$/i.test(target.name) ? '.warc.gz' : '.warc');
			return (await import('./sinks/rolling/open.ts')).openRolling(target, format);
		},
	},
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
