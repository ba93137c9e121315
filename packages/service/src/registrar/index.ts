export { dnsInstruction, namedResolvers } from './check-dns.ts';
export { checkDomain, type DomainCheck } from './check-domain.ts';
export { fileFaults, fileInstruction } from './check-file.ts';
export { domainFaults, readDomain } from './domain.ts';
export { Pace } from './pace.ts';
export { Registrar } from './registrar.ts';
export type { Site } from './site.ts';
