export type { Chunk as DocumentChunk } from '@wayleave/extract';
export type { FieldSource as DocumentFieldSource, Fields as DocumentFields } from '@wayleave/extract/fields';
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
	type WantedResult,
} from './client.ts';
