import { IdentityChecker } from './identity-checker.ts';

/** Takes every claim as what it is, a claim: nothing is looked up. For servers that cannot look anything up. */
export const claimsOnly: IdentityChecker = new IdentityChecker();
