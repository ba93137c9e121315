export { checkSom, type ParsedSom, parseSomMeta, parseSomRecords } from './directives.ts';
export { checkSomDocument, isSupportedSomVersion } from './document.ts';
export * from './format.ts';
export { parseSomLink, somLinkRelation } from './link.ts';
export type { SomProblem, SomProblemCode } from './problems.ts';
export * from './proof.ts';
export * from './request.ts';
export { type ResolveSomOptions, resolveSom, type SomOffer, type SomRefusal, type SomResolution } from './resolve.ts';
export { parseSomSchemaOrg, somSchemaType } from './schema-org.ts';
export * from './types.ts';
export {
	type SomAuth,
	type SomFormat,
	type SomScope,
	somAuths,
	somDefaults,
	somFormats,
	somMediaTypes,
	somScopes,
} from './values.ts';
