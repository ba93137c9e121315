export type { Rate } from '@wayleave/io/rate';
export {
	createSomEndpoint,
	type PageRequest,
	type SomEndpointOptions,
	type SourcePage,
	somEndpoint,
} from './endpoint.ts';
export type { Choice } from './negotiate.ts';
