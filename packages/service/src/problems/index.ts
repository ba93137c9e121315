export { ServiceError } from './problem.ts';
export { type ServiceProblemCode, serviceProblems } from './problems.ts';
