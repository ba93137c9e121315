import type { Problem, Severity } from '@wayleave/protocols';

const error = (sentence: string) => ({ severity: 'error' as const, sentence });
const warning = (sentence: string) => ({ severity: 'warning' as const, sentence });
const info = (sentence: string) => ({ severity: 'info' as const, sentence });

/** Severity and sentence of each code; `{name}` stands for an argument. */
export const publishProblems = {
	'publish-rules-contradict': warning(
		'{agent}: the policy file and the robots.txt of the site contradict each other about {pattern}; Disallow applies',
	),
	'publish-own-allow-wins': info(
		'{agent}: this line of the site allows {pattern}, which the policy file disallows as part of {wider}',
	),
	'publish-honeypot-open': warning('{agent}: {line} would allow a honeypot path and is omitted'),
	'publish-signal-contradicts': warning(
		'{agent}: {key} of the site forbids {name}, which the policy file allows; the stricter one applies',
	),
	'publish-agent-name': warning('parsers that follow RFC 9309 read {agent} as {token}'),
	'publish-names-cut': info(
		'these agents are listed by name because of their category; parsers that follow RFC 9309 cut their names: {names}',
	),
	'publish-category-wins': warning(
		'{agent} is allowed {pattern}, but its category is denied the site; the stricter one applies',
	),
	'publish-name-unmatched': warning('{name} {why}: it identifies no requests, so its rules cannot be enforced'),
	'publish-name-on-trust': info(
		'ask.{directive}: {name} cannot be verified, so the name is trusted; set in identity.agents how to verify it',
	),
	'publish-name-unprovable': warning(
		'ask.{directive}: identity is verified, but {name} cannot be verified, so no client gets this decision by that name',
	),
	'publish-ask-unasked': warning('ask.{directive} has no effect: no policy says {directive}: ask'),
	'publish-ask-without-endpoint': warning(
		'{directive}: ask needs an ask endpoint, which static files cannot provide; agents treat it as no',
	),
	'publish-broad-rule': warning('Disallow: {pattern} also withholds {path}: write {pattern}/ or {pattern}$'),
	'publish-site-closed': warning('the whole site is disallowed for all agents'),
	'publish-foreign-file': error(
		'{file} was not written by Wayleave and stays unchanged: move its content to the policy file, or use --replace',
	),
	'publish-foreign-companion': info('{file} belongs to the site and stays unchanged'),
	'publish-no-head': info('the page has neither a head nor a title element, so no tags can be added'),
	'publish-state-inside': warning(
		'{state} is inside the served folder: do not upload it, and keep it when you rebuild the folder',
	),
	'publish-som-not-served': info('robots.txt names no SOM endpoint, because static files cannot respond at {endpoint}'),
} satisfies Record<string, { severity: Severity; sentence: string }>;

export type PublishProblemCode = keyof typeof publishProblems;
export type PublishProblem = Problem<PublishProblemCode>;

/** A problem with the severity of its code. */
export function publishProblem(
	code: PublishProblemCode,
	args: PublishProblem['args'] = {},
	{ line = 0, column = 0 }: { readonly line?: number; readonly column?: number } = {},
): PublishProblem {
	return { code, severity: publishProblems[code].severity, line, column, args };
}

/** The sentence for a problem, its arguments filled in. */
export function explainPublishProblem({ code, args }: Pick<PublishProblem, 'code' | 'args'>): string {
	return publishProblems[code].sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name] ?? ''));
}
