import { readWhole } from '../internal/json-text.ts';
import { readText, type TextInput } from '../internal/text-input.ts';
import { TextProblems } from '../internal/text-problems.ts';
import type { Parsed } from '../problem.ts';
import type { PagedigestProblemCode } from './problems.ts';
import { ManifestReader } from './read.ts';
import { pagedigestProblem } from './report.ts';
import type { Manifest } from './types.ts';

export interface ParseManifestOptions {
	/** Larger manifests are not read (pagedigest §7.3); 10 MiB unless given. */
	readonly maxBytes?: number;
}

/**
 * Reads a manifest, strictly: one bad key, entry, number or repeated name voids the whole, since that
 * can only cost requests. The value is undefined then, and the consumer crawls as if there were no manifest (§5.3).
 * Undefined members are ignored (§3.3). Problems of severity warning or info leave the manifest valid.
 */
export function parseManifest(
	input: string | Uint8Array,
	{ maxBytes = 10 * 1024 * 1024 }: ParseManifestOptions = {},
): Parsed<Manifest | undefined, PagedigestProblemCode> {
	const tooLarge = input.length > maxBytes;
	const source: TextInput = tooLarge ? { text: '', start: 0, validUtf8: true } : readText(input);
	const problems = new TextProblems<PagedigestProblemCode>(source.text, pagedigestProblem);
	if (tooLarge) problems.add('pagedigest-too-large', -1, { limit: maxBytes });
	else if (!source.validUtf8) problems.add('pagedigest-invalid-utf8', -1);
	const value = problems.hasError ? undefined : readSource(source, problems);
	return { value: problems.hasError ? undefined : value, problems: problems.close('pagedigest-omitted') };
}

function readSource({ text, start }: TextInput, problems: TextProblems<PagedigestProblemCode>): Manifest | undefined {
	if (start > 0) problems.add('pagedigest-byte-order-mark', 0);
	return readWhole(
		text,
		start,
		(cursor) => new ManifestReader(cursor, problems).manifest(),
		(at) => problems.add('pagedigest-invalid-json', at),
	);
}
