import { DatabaseError } from './error.ts';

/**
 * SQLSTATEs that end a connection, or keep one from being made for now: PostgreSQL documentation, appendix A. A server
 * that only reads (25006) has become the standby of another one, or will be the first one in a moment.
 */
const endsConnection = /^(?:08...|57P0[1-5]|25P0[34]|25006|53300)$/;
/** A statement is there that was never prepared on this connection, or is not there any more. */
const lostPrepared = /^(?:42P05|26000)$/;

/** What `pg` says when the connection is lost; these errors have no SQLSTATE. */
const lostMessages = /connection (?:terminated|ended)|not queryable|client was closed|read timeout/i;

const lostCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Why there is no connection. @param name of the database, without its password */
export function fromConnect(error: unknown, name: string): DatabaseError {
	if (error instanceof DatabaseError) return error;
	const { code = '', message = '' } = error as { code?: string; message?: string };
	const options = { cause: error };
	if (code === '3D000')
		return new DatabaseError(
			'no-such-database',
			`the database ${name} does not exist: create it first (createdb)`,
			options,
		);
	if (code === '28P01' || code === '28000')
		return new DatabaseError('wrong-password', `${name} rejected the login: ${message}`, options);
	// The driver's error if the server wants a password and the URL has none.
	if (message.includes('password must be a string')) {
		const text = `${name} requires a password: write postgres://USER:PASSWORD@HOST/DATABASE or set PGPASSWORD`;
		return new DatabaseError('wrong-password', text, options);
	}
	// Several addresses that were all tried in vain make an error without a message.
	return new DatabaseError('cannot-connect', `${name} cannot be reached: ${message || code}`, options);
}

/** A commit that is on the primary only, although a standby was to have it: whether it lasts is open. */
export function notConfirmed(name: string): DatabaseError {
	const text = `${name} committed without its standby: no synchronous standby confirmed in time`;
	return new DatabaseError('connection-lost', text);
}

/** An error of a statement: ours where the connection is gone, otherwise as it came. */
export function fromStatement(error: unknown, name: string): unknown {
	if (error instanceof DatabaseError) return error;
	const { code = '', message = '', routine } = error as { code?: string; message?: string; routine?: string };
	if (lostPrepared.test(code)) {
		const text = `${name} is behind a connection pooler that does not support prepared statements (${message}): remove prepared=true from the database URL, or use PgBouncer 1.21 or newer with max_prepared_statements set`;
		return new DatabaseError('too-old', text, { cause: error });
	}
	// Another process has added columns: a new connection prepares the statement again.
	const outdated = routine === 'RevalidateCachedQuery';
	const lost = outdated || endsConnection.test(code) || lostCodes.has(code) || lostMessages.test(message);
	if (!lost) return error;
	return new DatabaseError('connection-lost', `the connection to ${name} is lost: ${message || code}`, {
		cause: error,
	});
}
