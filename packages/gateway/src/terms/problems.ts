import type { Problem, Severity } from '@wayleave/protocols';

const error = (sentence: string) => ({ severity: 'error' as const, sentence });
const warning = (sentence: string) => ({ severity: 'warning' as const, sentence });
const info = (sentence: string) => ({ severity: 'info' as const, sentence });

/** Severity and sentence of each code; `{name}` stands for an argument. */
export const publishProblems = {
	'publish-rules-contradict': warning(
		'{agent}: the policy file and the robots.txt of the site say the opposite of {pattern}: the Disallow stands',
	),
	'publish-own-allow-wins': info(
		'{agent}: this line of the site opens {pattern}, which the policy file disallows as part of {wider}',
	),
	'publish-honeypot-open': warning('{agent}: {line} would have led to a honeypot and is left out'),
	'publish-signal-contradicts': warning(
		'{agent}: {key} of the site forbids {name}, which the policy file allows: the stricter one counts',
	),
	'publish-agent-name': warning('{agent} is read as {token} by parsers that keep to RFC 9309'),
	'publish-names-cut': info(
		'these agents are listed by name because of their category; readers that keep to RFC 9309 cut their names: {names}',
	),
	'publish-category-wins': warning(
		'{agent} is allowed {pattern} in vain: the site is closed to its category, and the stricter one counts',
	),
	'publish-name-unmatched': warning(
		'{name} {why}: no request can be told by it, so nothing that is said to it can be enforced',
	),
	'publish-name-on-trust': info(
		'ask.{directive}: nothing can verify {name}, so the name is taken on trust; identity.agents can say how to verify it',
	),
	'publish-name-unprovable': warning(
		'ask.{directive}: identity: verified, but nothing can verify {name}: nobody gets this answer by that name',
	),
	'publish-ask-unasked': warning('ask.{directive} answers a question that nobody has: no policy says {directive}: ask'),
	'publish-ask-without-endpoint': warning(
		'{directive}: ask needs an endpoint that answers, which files alone have not: agents take it as no',
	),
	'publish-broad-rule': warning('Disallow: {pattern} also withholds {path}: write {pattern}/ or {pattern}$'),
	'publish-site-closed': warning('everybody is disallowed the whole site'),
	'publish-foreign-file': error(
		'{file} is not ours and stays as it is: move what it says to the policy file, or use --replace',
	),
	'publish-foreign-companion': info('{file} is of the site itself and stays as it is'),
	'publish-no-head': info('no place for tags: neither a head nor a title'),
	'publish-tdm-silent': info(
		'TDMRep says nothing: its reservation would forbid storing too, which the policy does not (store: {store})',
	),
	'publish-state-inside': warning(
		'{state} lies in the folder that is served: do not upload it, and keep it when the folder is built anew',
	),
	'publish-som-not-served': info('robots.txt names no SOM endpoint: files alone cannot answer at {endpoint}'),
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
