/** What can be wrong with a part of a web archive: each with its sentence. The part is skipped, the rest is read. */
export const warcProblems = {
	'warc-cut': 'the file ends in the middle of a record',
	'warc-compression-damaged': 'the compressed data is damaged',
	'warc-malformed-record': 'not a WARC record, or its Content-Length is wrong',
	'warc-wrong-length': 'Content-Length is wrong by a few bytes; the record was read up to the next one',
	'warc-record-too-large': 'the record is larger than the limit',
	'warc-unreadable-payload': 'the record holds no HTTP response with readable content',
} as const satisfies Readonly<Record<string, string>>;

export type WarcProblemCode = keyof typeof warcProblems;

/** @see warcProblems */
export interface WarcProblem {
	readonly code: WarcProblemCode;
	/** Where in the file the damaged part begins: its member, where it is compressed. */
	readonly offset: number;
	/** What exactly, for people. */
	readonly detail?: string;
}
