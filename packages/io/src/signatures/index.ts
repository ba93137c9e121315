export * from './directories.ts';
export {
	formatKeyDirectory,
	generateSigningKey,
	keyDirectoryPath,
	keyDirectoryType,
	loadSigningKey,
	type PublicJwk,
	parseKeyDirectory,
	type Signer,
	type SigningKey,
	type Verifier,
	verifierOf,
} from './keys.ts';
export {
	type SignatureHeaders,
	type SignatureVerdict,
	type SignedMessage,
	signRepresentation,
	verifyRepresentation,
} from './representation.ts';
export type { RequestVerdict, SignatureFault, SignedRequest } from './request-verdict.ts';
export { type RequestSignature, type SignRequestOptions, signRequest } from './sign-request.ts';
export { RequestVerifier, type RequestVerifierOptions } from './verify-request.ts';
