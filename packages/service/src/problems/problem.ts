import type { Outcome, Reason } from '@wayleave/crawler';
import type { Evidence } from '@wayleave/protocols';
import { problemTable, type ServiceProblemCode } from './problems.ts';

/** The reason for the failure, in wire format (RFC 9457). */
export interface Problem {
	/** The page about the code. */
	readonly type: string;
	readonly title: string;
	readonly status: number;
	/** Details for people. */
	readonly detail?: string;
	readonly code: ServiceProblemCode | Reason;
	/** How the URL ended, when a site or its terms stand in the way. */
	readonly outcome?: Outcome;
	readonly url?: string;
	/** The lines that forbid it. */
	readonly evidence?: readonly Evidence[];
	/** Places of mistakes in the request. */
	readonly errors?: readonly { readonly path: string; readonly message: string }[];
	/** Seconds. */
	readonly retry_after?: number;
}

export const problemType = 'application/problem+json';

/** Ends the handling of a request; the caller gets the problem as its response. */
export class ServiceError extends Error {
	readonly code: ServiceProblemCode;
	readonly more: Partial<Problem>;
	readonly headers: Readonly<Record<string, string>>;

	constructor(code: ServiceProblemCode, more: Partial<Problem> = {}, headers: Readonly<Record<string, string>> = {}) {
		super(more.detail ?? problemTable[code][1]);
		this.name = 'ServiceError';
		this.code = code;
		this.more = more;
		this.headers = headers;
	}
}

/** @param base URL of the service, without a slash at its end */
export function toProblem({ code, more }: ServiceError, base: string): Problem {
	const [status, title] = problemTable[code];
	return { type: problemPage(code, base), title, status, code, ...more };
}

/** All statuses of other people's servers share a page. */
export function problemPage(code: ServiceProblemCode | Reason, base: string): string {
	return `${base}/problems/${code}`;
}

export function problemResponse(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
	const { retry_after } = problem;
	return new Response(JSON.stringify(problem), {
		status: problem.status,
		headers: {
			'content-type': problemType,
			'cache-control': 'no-store',
			...(retry_after !== undefined && { 'retry-after': String(retry_after) }),
			...headers,
		},
	});
}
