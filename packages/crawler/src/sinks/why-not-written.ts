/** Why something cannot be written, and what to do, for whoever said where to. */
export function whyNotWritten(error: unknown): string {
	const { code = '', message } = error as NodeJS.ErrnoException;
	const sentence = sentences[code];
	return sentence === undefined ? message : `${sentence} (${message})`;
}

const elsewhere = 'choose another place';

const sentences: Readonly<Record<string, string>> = {
	ENOSPC: 'the disk is full: make room, and try again',
	EDQUOT: 'this user may not take more room on the disk: make some, and try again',
	EFBIG: `a file cannot be larger there: ${elsewhere}`,
	EACCES: `this user may not write there: allow it, or ${elsewhere}`,
	EPERM: `this user may not write there: allow it, or ${elsewhere}`,
	EROFS: `what is mounted there is read-only: ${elsewhere}`,
	ENOTDIR: `there is a file where a folder is wanted: ${elsewhere}`,
	// Of a folder that is to be made.
	EEXIST: `there is a file where a folder is wanted: ${elsewhere}`,
	EISDIR: `there is a folder where a file is wanted: ${elsewhere}`,
	ENAMETOOLONG: `the name is too long: ${elsewhere}`,
	ENOENT: 'the folder was taken away while it was written: try again',
	EIO: 'the disk fails',
};
