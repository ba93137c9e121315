export { checkSom, type ParsedSom, parseSomMeta, parseSomRecords } from './directives.ts';
export { checkSomDocument, isSupportedSomVersion } from './document.ts';
export {
	formatSomLink,
	formatSomMeta,
	formatSomRecords,
	formatSomSchemaOrg,
	type SomSettings,
	SomSettingsError,
} from './format.ts';
export { parseSomLink, somLinkRelation } from './link.ts';
export type { SomProblem, SomProblemCode } from './problems.ts';
export {
	formatSomProof,
	provesSomEndpoint,
	type RegistrableDomain,
	type SomEndpointRelation,
	somEndpointRelation,
	somProofPlaces,
} from './proof.ts';
export {
	fullEndpoint,
	readSomAddress,
	readSomRequest,
	type SomRequest,
	somDefaultPath,
	somRequestUrl,
} from './request.ts';
export { type ResolveSomOptions, resolveSom, type SomOffer, type SomRefusal, type SomResolution } from './resolve.ts';
export { parseSomSchemaOrg, somSchemaType } from './schema-org.ts';
export {
	type SomDeclaration,
	type SomDeclarations,
	type SomLayer,
	type SomMetaTag,
	type SomRecord,
	type SomTarget,
	type Stated,
	somLayers,
} from './types.ts';
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
