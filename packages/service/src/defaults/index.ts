/** Public resolvers, so that a misconfigured resolver of the machine does not decide alone (AIWebIndex §5.1). */
export const publicResolvers = ['1.1.1.1', '8.8.8.8', '9.9.9.9'] as const;
