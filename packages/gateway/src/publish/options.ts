import type { Problem } from '@wayleave/protocols';
import type { Manifest } from '@wayleave/protocols/pagedigest';

export interface PublishOptions {
	/** Output folder. Default: the folder itself. */
	readonly out?: string;
	/** The folder that paths in the policy file start from, such as the one of its state. Default: the working folder. */
	readonly base?: string;
	/** The manifest that the site serves now, where it is not in the folder: revisions never fall behind it. */
	readonly published?: Manifest;
	/** Milliseconds since 1970. */
	readonly time?: number;
	/** Puts tags into pages. Default false: the bytes of pages stay as they are. */
	readonly tags?: boolean;
	/** SOM files beside pages. Default true. */
	readonly som?: boolean;
	/** Markdown files beside pages. Default true. */
	readonly markdown?: boolean;
	/** Default true. */
	readonly manifest?: boolean;
	/** Pages are requested without `.html`. */
	readonly cleanUrls?: boolean;
	/** A gateway answers in front of the files: its endpoints are announced. */
	readonly gateway?: boolean;
	/** Writes over policy files that others have written. */
	readonly replace?: boolean;
	/** Reads every file, also those whose size and time are as before. */
	readonly readAll?: boolean;
	/** Told of each page. */
	readonly onPage?: (done: number, total: number) => void;
}

/** A problem and the file that it is in: relative to the folder, or `policy file`. */
export interface FileProblem {
	readonly file: string;
	readonly problem: Problem;
}

/** Pages in a manifest; all 0 without one. */
export interface ManifestCounts {
	readonly siteRev: number;
	readonly listed: number;
	readonly added: number;
	readonly changed: number;
	readonly gone: number;
}

export interface PublishReport extends Omit<ManifestCounts, 'siteRev'> {
	/** Pages in the folder. */
	readonly pages: number;
	/** Pages whose content had to be computed again. */
	readonly read: number;
	/** Pages that everybody is disallowed, or that withdraw themselves: neither listed nor represented. */
	readonly withheld: number;
	readonly siteRev?: number;
	/** Files written or removed, relative to the folder; pages and their representations are only counted. */
	readonly files: readonly string[];
	readonly pageFiles: number;
	readonly problems: readonly FileProblem[];
}
