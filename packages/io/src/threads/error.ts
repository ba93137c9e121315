/** Why a task has no outcome although it threw nothing itself. */
export type ThreadErrorCode = 'timed-out' | 'out-of-memory' | 'died' | 'cannot-start' | 'closed';

/** A task was given up with its thread. */
export class ThreadError extends Error {
	readonly code: ThreadErrorCode;

	constructor(code: ThreadErrorCode, message: string, options: { cause?: unknown } = {}) {
		super(message, options);
		this.name = 'ThreadError';
		this.code = code;
	}
}
