/** One thing that happened, as a line of JSON. Nothing in it tells who a caller is beyond the id of the key. */
export type LogFields = Readonly<Record<string, unknown>>;

export type LogLevel = 'info' | 'warn' | 'error';

export interface Log {
	info(message: string, fields?: LogFields): void;
	warn(message: string, fields?: LogFields): void;
	error(message: string, fields?: LogFields): void;
}

/** @param write takes one line without its end */
export function createLog(write: (line: string) => void, now: () => number = Date.now): Log {
	const log =
		(level: LogLevel) =>
		(message: string, fields: LogFields = {}) =>
			write(JSON.stringify({ time: new Date(now()).toISOString(), level, message, ...fields }));
	return { info: log('info'), warn: log('warn'), error: log('error') };
}

/** No-op log. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };

/** An error as fields of a log line, with what caused it. */
export function errorFields(error: unknown): LogFields {
	if (!(error instanceof Error)) return { error: String(error) };
	const { cause } = error;
	return { error: error.message, stack: error.stack, ...(cause !== undefined && { cause: String(cause) }) };
}
