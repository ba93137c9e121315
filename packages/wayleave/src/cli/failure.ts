import { explainSystemError, FileError, isSystemError } from '@wayleave/io/messages/system';
import { manyLines } from '@wayleave/protocols/text';
import { InvalidArgumentError } from 'commander';
import { showAddress } from '../shared/options/addresses.ts';
import { exitCodes, UsageError } from '../terminal/command.ts';
import { Misuse } from '../terminal/misuse.ts';
import { explainMisuse } from './explain-misuse.ts';

/** Why a command could not do its work. */
export interface Failure {
	readonly exitCode: number;
	/** For programs: stable, in kebab-case. */
	readonly code: string;
	/** For people. */
	readonly message: string;
}

/** The failure behind whatever a command has thrown. */
export function failureOf(error: unknown): Failure {
	if (error instanceof Misuse) return { exitCode: exitCodes.usage, code: 'wrong-usage', message: explainMisuse(error) };
	if (error instanceof InvalidArgumentError)
		return { exitCode: exitCodes.usage, code: 'wrong-usage', message: error.message };
	if (error instanceof UsageError) return { exitCode: exitCodes.usage, code: error.code, message: error.message };
	return { exitCode: exitCodes.failed, code: codeOf(error), message: manyLines(describe(error)) };
}

function codeOf(error: unknown): string {
	if (isSystemError(error)) return error.syscall === 'listen' ? 'cannot-listen' : 'system-error';
	const { code } = (error ?? {}) as { code?: unknown };
	return typeof code === 'string' && /^[a-z]+(?:-[a-z0-9]+)*$/.test(code) ? code : 'failed';
}

/** Messages of V8 that only a bug in the program can cause. */
const mistake =
	/^(?:Cannot (?:read|set|access|destructure)\b|Maximum call stack|.* is not (?:a function|defined|iterable|a constructor)\b)/;

/** An error and what caused it, in one line, without repeating what a message has taken over from its cause. */
function describe(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const own = systemText(error);
	if (own !== undefined) return own;
	if (mistake.test(error.message))
		return `this is a bug in Wayleave: ${error.message} (set WAYLEAVE_DEBUG=1 to see where)`;
	let text = error.message;
	// An error with a code of its own already contains the system's message.
	const isWorded = error instanceof FileError || 'code' in error;
	for (let { cause } = error; cause !== undefined; cause = cause instanceof Error ? cause.cause : undefined) {
		const system = cause instanceof Error ? systemText(cause) : undefined;
		if (system !== undefined && isWorded) continue;
		const message = system ?? (cause instanceof Error ? cause.message : String(cause));
		if (!text.includes(message)) text += `: ${message}`;
	}
	return text;
}

type SystemError = NodeJS.ErrnoException & { address?: string; port?: number };

/** A system error that no other part of the program has explained. */
function systemText(error: Error): string | undefined {
	if (!isSystemError(error)) return undefined;
	const { syscall = '', path, address, port } = error as SystemError;
	if (syscall === 'listen') {
		const why = explainSystemError(error, 'listen');
		return `cannot listen on ${showAddress({ address: address ?? '', port: port ?? 0 })}: ${why}`;
	}
	const action = /^(?:connect|getaddrinfo|query)/.test(syscall) ? 'connect' : writes.has(syscall) ? 'write' : 'read';
	const why = explainSystemError(error, action) ?? 'the operating system refused the operation';
	return path === undefined ? why : `${path}: ${why}`;
}

const writes: ReadonlySet<string> = new Set([
	'write',
	'mkdir',
	'rename',
	'unlink',
	'rmdir',
	'ftruncate',
	'copyfile',
	'fsync',
]);
