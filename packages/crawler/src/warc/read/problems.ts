/** Problems of a part of a web archive, with a sentence for each. The part is skipped, the rest is read. */
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
	/** Offset of the damaged part: of its member, if it is compressed. */
	readonly offset: number;
	/** Details for people. */
	readonly detail?: string;
}
