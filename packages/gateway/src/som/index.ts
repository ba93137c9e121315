export {
	createSomEndpoint,
	type PageRequest,
	type SomEndpointOptions,
	type SourcePage,
	somEndpoint,
} from './endpoint.ts';
export type { Rate } from './limits.ts';
export type { Choice } from './negotiate.ts';
