import { getSystemErrorMap } from 'node:util';

/** The operation that the system refused: the same code needs a different remedy for each. */
export type SystemAction = 'read' | 'write' | 'listen' | 'connect';

const noTls = 'the server does not speak TLS, or only an insecure version of it';

/** The `code` of a FileError. */
export type FileErrorCode =
	| 'file-not-found'
	| 'file-is-folder'
	| 'not-a-folder'
	| 'file-not-readable'
	| 'file-not-writable'
	| 'no-space';

/** A file or folder that a person named and that cannot be used. The message names it and says what to do. */
export class FileError extends Error {
	readonly code: FileErrorCode;
	/** As the person named it. */
	readonly file: string;

	constructor(code: FileErrorCode, file: string, sentence: string, options: ErrorOptions = {}) {
		const isAddress = code === 'file-not-found' && /(?:^|\s)[a-z][a-z0-9+.-]+:\/\//i.test(file);
		super(`${file}: ${sentence}${isAddress ? addressHint : ''}`, options);
		this.name = 'FileError';
		this.code = code;
		this.file = file;
	}
}

const addressHint = ' on this machine; to read what is at an address, download it first';

/** The sentence for a file that was named and is not there. */
export const noSuchFile = 'the file does not exist';
/** The same for a folder. */
export const noSuchFolder = 'the folder does not exist';

const elsewhere = 'choose another path';
const fileInTheWay = 'part of the path is a file, not a folder';
const tooManyFiles = 'this process has too many files open: raise the limit (ulimit -n)';

const sentences: Readonly<Record<SystemAction, Readonly<Record<string, string>>>> = {
	read: {
		ENOENT: noSuchFile,
		EISDIR: 'this is a folder, not a file',
		ENOTDIR: fileInTheWay,
		EACCES: 'permission denied: this user cannot read it',
		EPERM: 'permission denied: this user cannot read it',
		ELOOP: 'its symbolic links form a loop',
		ENAMETOOLONG: 'the name is too long',
		EMFILE: tooManyFiles,
		ENFILE: tooManyFiles,
		EIO: 'reading from the disk failed',
		EBUSY: 'another program is using it',
		ENXIO: 'the device does not exist',
		ENODEV: 'the device does not exist',
		EINVAL: 'it cannot be read as a file',
		EAGAIN: 'no data can be read from it now',
		ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB, the largest file that can be read',
		ERR_INVALID_ARG_VALUE: 'the name contains a NUL character, which is not allowed in file names',
	},
	write: {
		ENOENT: 'its folder does not exist: create it, or choose another path',
		EISDIR: `this is a folder, not a file: ${elsewhere}`,
		// Of a folder that is to be made.
		EEXIST: `part of the path is a file, not a folder: ${elsewhere}`,
		ENOTDIR: `part of the path is a file, not a folder: ${elsewhere}`,
		ENOTEMPTY: `the folder is not empty: ${elsewhere}`,
		EACCES: `permission denied: this user cannot write there; grant access, or ${elsewhere}`,
		EPERM: `permission denied: this user cannot write there; grant access, or ${elsewhere}`,
		EROFS: `the file system there is read-only: ${elsewhere}`,
		ENOSPC: 'the disk is full: free some space and try again',
		EDQUOT: 'the disk quota of this user is used up: free some space and try again',
		EFBIG: `the file system there allows no larger file: ${elsewhere}`,
		ELOOP: `its symbolic links form a loop: ${elsewhere}`,
		ENAMETOOLONG: `the name is too long: ${elsewhere}`,
		EXDEV: `it cannot be moved to another file system: ${elsewhere}`,
		EMFILE: tooManyFiles,
		ENFILE: tooManyFiles,
		EBUSY: 'another program is using it',
		EIO: 'writing to the disk failed',
		EPIPE: 'the program that reads it exited',
		EINVAL: `it cannot be written as a file: ${elsewhere}`,
		ENXIO: 'the device does not exist',
		ERR_INVALID_ARG_VALUE: 'the name contains a NUL character, which is not allowed in file names',
	},
	listen: {
		EADDRINUSE: 'another program listens there: choose another port',
		EACCES: 'permission denied: choose a port from 1024 up',
		EADDRNOTAVAIL: 'this machine does not have that address',
		EAFNOSUPPORT: 'this machine does not have addresses of that kind',
		EINVAL: 'it is not an address to listen on',
		ENOTFOUND: 'the host name does not exist',
		EAI_AGAIN: 'the host name could not be looked up',
		EMFILE: tooManyFiles,
	},
	connect: {
		ECONNREFUSED: 'the connection was refused: no server listens there',
		ECONNRESET: 'the connection was reset',
		ECONNABORTED: 'the connection was aborted',
		EPIPE: 'the connection was closed',
		ETIMEDOUT: 'the connection timed out',
		EHOSTUNREACH: 'there is no route to the host',
		EHOSTDOWN: 'the host is down',
		ENETUNREACH: 'there is no route to its network',
		ENETDOWN: 'the network of this machine is down',
		EADDRNOTAVAIL: 'this machine has no address to connect from',
		EACCES: 'this machine does not allow the connection',
		EPERM: 'this machine does not allow the connection',
		EMFILE: tooManyFiles,
		ENOTFOUND: 'the host name does not exist',
		ENODATA: 'the host name has no address',
		EAI_AGAIN: 'the DNS servers did not respond',
		EAI_FAIL: 'the DNS servers refused the query',
		EAI_NODATA: 'the host name has no address',
		EAI_NONAME: 'the host name does not exist',
		ESERVFAIL: 'the DNS servers failed',
		EREFUSED: 'the DNS servers refused the query',
		ETIMEOUT: 'the DNS servers did not respond',
		EPROTO: noTls,
		ERR_SSL_WRONG_VERSION_NUMBER: noTls,
		ERR_SSL_UNSUPPORTED_PROTOCOL: noTls,
		ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
		CERT_HAS_EXPIRED: 'the certificate has expired',
		CERT_NOT_YET_VALID: 'the certificate is not valid yet',
		CERT_REVOKED: 'the certificate was revoked',
		DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
		SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is signed by an unknown authority',
		UNABLE_TO_GET_ISSUER_CERT: 'the certificate is signed by an unknown authority',
		UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is signed by an unknown authority',
		UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the server does not send the whole certificate chain',
		ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
	},
};

/** Windows refuses a folder where a file is wanted by EPERM and the like; Linux writes to one by EISDIR. */
const codes: Readonly<Record<string, FileErrorCode>> = {
	ENOENT: 'file-not-found',
	EISDIR: 'file-is-folder',
	ENOTDIR: 'not-a-folder',
	EEXIST: 'not-a-folder',
	ENOSPC: 'no-space',
	EDQUOT: 'no-space',
};

const named = (error: unknown): string => {
	const { code } = (error ?? {}) as { code?: unknown };
	return typeof code === 'string' ? code : '';
};

/** Whether the system, not this program, made an error: `ENOENT`, `EADDRINUSE`, … */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
	return error instanceof Error && /^(?:E[A-Z][A-Z0-9_]+)$/.test(named(error)) && !named(error).startsWith('ERR_');
}

/**
 * A sentence for an error of the operating system, without its code; undefined for any other error.
 *
 * @example explainSystemError(error, 'read') // 'permission denied: this user cannot read it'
 */
export function explainSystemError(error: unknown, action: SystemAction): string | undefined {
	const code = named(error);
	const known = sentences[action][code];
	if (known !== undefined) return known;
	if (!isSystemError(error)) return undefined;
	for (const [name, text] of getSystemErrorMap().values()) if (name === code) return text;
	// Resolvers have codes of their own (`EBADRESP`); the words behind them say what happened.
	return error.message.replace(/^.*?\bE[A-Z_]{3,}\b:?\s*/, '') || 'the operating system refused the operation';
}

/**
 * The error for a named file that cannot be read or written; errors of another kind unchanged.
 *
 * @param file as the person named it
 */
export function fileError(error: unknown, file: string, action: 'read' | 'write'): unknown {
	if (error instanceof FileError) return error;
	const sentence = explainSystemError(error, action);
	if (sentence === undefined) return error;
	return new FileError(fileErrorCode(error, action), file, sentence, { cause: error });
}

/** The code of a FileError for an error of the system. */
export function fileErrorCode(error: unknown, action: 'read' | 'write'): FileErrorCode {
	return codes[named(error)] ?? (action === 'read' ? 'file-not-readable' : 'file-not-writable');
}
