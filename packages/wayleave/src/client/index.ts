export {
	type BatchLine,
	type Client,
	type ClientOptions,
	createClient,
	type DocumentResult,
	type ProblemDetails,
	ServiceProblem,
	type Submission,
	type Wanted,
} from './client.ts';
