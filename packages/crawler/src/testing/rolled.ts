import { gunzipSync } from 'node:zlib';
import { openObjectStore } from '@wayleave/io/objects';

/** The content of a place with rolling files. */
export interface Rolled {
	/** URLs of the lines of all `.jsonl.gz` files, in order. */
	readonly lines: readonly string[];
	/** URLs of the responses in all `.warc.gz` files, in order; without those of policy files. */
	readonly responses: readonly string[];
	readonly files: number;
	/** Segments that no file has made superfluous. */
	readonly leftovers: number;
}

/** Options of workers that keep documents and rolling files in one place. */
export const rollingOptions = (place: string) => ({
	documents: below(place, 'documents'),
	rolling: ['run/*.jsonl.gz', 'run/*.warc.gz'].map((name) => below(place, name).replace(/^file:/, '')),
	roll: 4096,
});

/** A place below another one: `s3://bucket/a?endpoint=x` and `b` make `s3://bucket/a/b?endpoint=x`. */
const below = (place: string, name: string): string => place.replace(/(?=\?)|$/, `/${name}`);

/** Reads what workers with `rollingOptions` have written. */
export async function readRolled(place: string): Promise<Rolled> {
	const objects = await openObjectStore(below(place, 'run'));
	const lines: string[] = [];
	const responses: string[] = [];
	let files = 0;
	let leftovers = 0;
	for await (const { key } of objects.list('')) {
		if (!/^(?:db\d-)?[\d-]+\.(?:jsonl|warc)\.gz$/.test(key)) {
			leftovers++;
			continue;
		}
		files++;
		const text = gunzipSync((await objects.get(key)) ?? new Uint8Array()).toString('latin1');
		if (key.endsWith('.jsonl.gz')) lines.push(...urlsIn(text));
		else responses.push(...responsesIn(text));
	}
	objects.close();
	return { lines: lines.sort(), responses: responses.sort(), files, leftovers };
}

/** The URLs of lines, in order. */
export const urlsIn = (lines: string): string[] =>
	lines
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line).url as string)
		.sort();

const responsesIn = (warc: string): string[] =>
	warc
		.split(/^WARC\/1\.1\r\n/m)
		.filter((record) => /^WARC-Type: response\r$/im.test(record))
		.flatMap((record) => /^WARC-Target-URI: <?([^\r>]+)/im.exec(record)?.[1] ?? [])
		.filter((url) => /\/p\d+$/.test(url));

/** For people. */
export const describeRolled = ({ lines, responses, files, leftovers }: Rolled): string =>
	`${files} rolling files: ${lines.length} lines and ${responses.length} responses, ${leftovers} segments left over`;
