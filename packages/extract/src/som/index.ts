export { defaultBudget } from './budget.ts';
export { type FitReport, fitSom } from './fit.ts';
export { applySomPatch, diffSom, type PatchOperation } from './patch.ts';
export { actionableElements, parseSom, type SomProblemCode, somProblems } from './read.ts';
export { somToMarkdown } from './to-markdown.ts';
export { type CompileOptions, htmlToSom } from './to-som.ts';
export { somToTree, type TreeNode } from './tree.ts';
export type * from './types.ts';
