export { createGuard, type Guard, type GuardOptions, type GuardRefusal, guarded } from './guard.ts';
export { Html, html } from './html.ts';
export { type PageFile, pageFile, pageHeaders, pageProblem } from './page-files.ts';
