/** Defaults that help tells as well: apart from the code that uses them, which help does not load. */

/** Where a policy file stands unless somebody says otherwise. */
export const defaultPolicyFile = 'wayleave.config.yaml';

/** Where `wayleave gateway` shows its dashboard. */
export const usualDashboard = '127.0.0.1:8081';

/** Public resolvers, so that no misconfigured one of the machine decides alone (AIWebIndex §5.1, AMB-32). */
export const publicResolvers = ['1.1.1.1', '8.8.8.8', '9.9.9.9'] as const;

/** How long servers wait at their end for what is in flight; milliseconds. */
export const usualGrace = 10_000;
