/** Why a file that was named cannot be read, for whoever named it. */
export function whyUnreadable(error: unknown): string {
	const { code, message } = error as NodeJS.ErrnoException;
	return sentences[code ?? ''] ?? message;
}

/** Where there is no file. */
export const noFile = 'there is no such file';

const sentences: Readonly<Record<string, string>> = {
	ENOENT: noFile,
	EISDIR: 'this is a folder, and a file is wanted',
	EACCES: 'this user may not read it',
};
