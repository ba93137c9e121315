export { parseUrl } from './parse-url.ts';
export { withoutBrackets } from './without-brackets.ts';
