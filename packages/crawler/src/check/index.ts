// Reads the policy of a site for one URL, without a crawl, and explains the decision.
export { type AskedAgent, askedAgent, type NamedAgent, self } from './agent.ts';
export { type Colours, plainColours } from './colours.ts';
export { type Explanation, explain } from './explain.ts';
export { type FileResult, type PoliteFetch, policyRedirects, politeFetch } from './fetch-file.ts';
export { type HeadTags, readHeadTags } from './head-tags.ts';
export * from './read-site.ts';
