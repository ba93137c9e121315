// Moved to `@wayleave/service/client`; this entry point stays for one minor version.
import type * as service from '@wayleave/service/client';

export type {
	BatchLine,
	Client,
	ClientOptions,
	DocumentResult,
	ProblemDetails,
	Submission,
	Wanted,
} from '@wayleave/service/client';

const loaded = await import('@wayleave/service/client').catch((cause: unknown) => {
	throw new Error('wayleave/client is now @wayleave/service/client: run npm install @wayleave/service', { cause });
});

export const createClient: typeof service.createClient = loaded.createClient;
export type ServiceProblem = service.ServiceProblem;
export const ServiceProblem: typeof service.ServiceProblem = loaded.ServiceProblem;
