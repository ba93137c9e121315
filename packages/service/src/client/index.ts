export {
	type BatchLine,
	type Client,
	type ClientOptions,
	createClient,
	type DocumentChunk,
	type DocumentResult,
	type ProblemDetails,
	ServiceProblem,
	type Submission,
	type Wanted,
	type WantedResult,
} from './client.ts';
