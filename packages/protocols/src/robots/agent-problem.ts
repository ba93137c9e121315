import type { Severity } from '../problem.ts';
import { isProductToken, leadingToken, productName, productOfUserAgent } from './agents.ts';
import { codeOf, findInvisible } from './invisible.ts';
import { lostRecord } from './lost-lines.ts';
import type { RobotsCode } from './problems.ts';
import type { Arguments } from './report.ts';

/** First words of browser User-Agent headers: they name no crawler. */
const browserWords =
	/^(?:mozilla|msie|windows|opera|chrome|safari|applewebkit|gecko|firefox|trident|linux|x11|macintosh|iphone|ipad)$/i;

type AgentProblem = readonly [code: RobotsCode, args: Arguments, severity?: Severity];

/** The problem with a `User-agent` value that is neither `*` nor a product token. */
export function agentProblem(name: string): AgentProblem {
	if (name === '') return ['empty-agent', {}];
	const lost = lostRecord(name);
	if (lost !== undefined) return ['lost-line-break', { lost }];
	if (findInvisible(name) >= 0) return ['invisible-character', { code: codeOf(name) }];
	if (/^\*[\t-\r ]/.test(name)) return ['text-after-star', { name }];
	if (/\(|compatible;/i.test(name)) return headerProblem(name);
	const product = productName(name);
	const token = leadingToken(name);
	if (token === '') {
		if (/^\d[\w.-]*$/.test(product)) return ['agent-begins-with-digit', { name }];
		return ['no-agent', { name, advice: adviceFor(name) }];
	}
	if (/^(?:[a-z]+:\/\/|www\.)/i.test(name)) return ['no-agent', { name, advice: adviceFor('') }];
	if (name[product.length] === '*') return ['star-in-agent', { token: product }];
	if (browserWords.test(token)) return ['browser-user-agent', { name: token }];
	if (name[product.length] === '/' && token === product && !/\s/.test(name)) return ['agent-version', { name, token }];
	// Two or more product tokens, each with an optional version, joined by comma, semicolon or bar.
	if (/^[\w.-]+(?:\/[\w.-]+)?(?:\s*[,;|]\s*[\w.*-]+(?:\/[\w.-]+)?)+$/.test(name))
		return ['agent-list', { token: product }];
	// The remaining prefix of `AI2Bot` also matches other agents.
	return ['agent-cut', { name, token }, token.length > 2 ? 'info' : 'warning'];
}

function headerProblem(name: string): AgentProblem {
	const token = productOfUserAgent(name);
	if (browserWords.test(token)) return ['browser-user-agent', { name: token }];
	if (!/^[a-z_][\w.-]*$/i.test(token)) return ['no-agent', { name, advice: adviceFor(name) }];
	// Of several words before the brackets, the first is seldom the name.
	const isName = /compatible;/i.test(name) || /^\S+\s*\(/.test(name);
	// Nothing is advised that would itself be a problem.
	const isWhole = isName && isProductToken(token);
	return ['full-ua-string', { advice: isWhole ? `"${token}"` : 'of the crawler alone' }];
}

/** The name inside quotation marks and the like, if it is one to recommend. */
function adviceFor(name: string): string {
	const bare = name.replace(/^[^\w*]+|[^\w]+$/g, '') || (name.includes('*') ? '*' : '');
	return bare === '*' || isProductToken(bare)
		? `is "${bare}" meant?`
		: 'write the product token of a crawler, or "*" for all';
}
