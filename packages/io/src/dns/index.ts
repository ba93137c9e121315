export type { ForwardLookup, ReverseAnswer, ReverseOutcome } from './confirm.ts';
export { registrableDomain } from './registrable-domain.ts';
export { createResolver, type Resolution, type Resolver, type ResolverOptions } from './resolver.ts';
export { reverseName } from './reverse.ts';
export { type KeptReverseAnswer, ReverseDns, type ReverseDnsOptions } from './reverse-dns.ts';
export type { Lookup, ResolvedAddress } from './types.ts';
