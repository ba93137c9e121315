import type { RobotsFile } from '../robots/index.ts';
import type { DirectiveName, PolicyName, QualityName } from './directives.ts';

/** One directive line. */
export interface Robots2Entry<Name extends DirectiveName = DirectiveName> {
	readonly name: Name;
	/** As the draft spells it; `no` where a permission was given a value that it does not take. */
	readonly value: string;
	/** Counts from 1. */
	readonly line: number;
	readonly column: number;
	/** The whole line, trimmed. */
	readonly text: string;
	readonly invalid?: true;
}

/** `[agent: category]` and what stands in it. */
export interface Robots2Section {
	/** Lower case. Several where the header names several. */
	readonly categories: readonly string[];
	readonly line: number;
	readonly entries: readonly Robots2Entry<PolicyName>[];
}

/** A robots2.txt, read. */
export interface Robots2File {
	/** The `# meta:` lines of the leading comment block by lower-case name. They change no permission. */
	readonly meta: ReadonlyMap<string, string>;
	/** The User-agent groups: RFC 9309 as it stands. */
	readonly paths: RobotsFile;
	readonly global: readonly Robots2Entry<PolicyName>[];
	readonly sections: readonly Robots2Section[];
	readonly quality: readonly Robots2Entry<QualityName>[];
	readonly reportTo: readonly Robots2Entry<'report-to'>[];
	/** Only when it is the last line that says anything. */
	readonly chain?: Robots2Entry<'chain'>;
	/** The lines as they stand, for quoting them as evidence. */
	readonly lines: readonly string[];
	/** The text was longer than the limit, and its end was not read. */
	readonly truncated: boolean;
}

/** One file of a chain, and where it was read. */
export interface Robots2Source {
	/** URL or file name. */
	readonly source: string;
	readonly file: Robots2File;
}
