import { iso } from './format.ts';
import type { Period } from './period.ts';
import { evidenceOf, type Violation } from './violations.ts';

/** A report to an operator or a register, ready to be sent. */
export interface Submission {
	readonly subject: string;
	/** Plain text, for a mail. */
	readonly text: string;
	/** The same as JSON, for a POST. */
	readonly json: string;
}

/**
 * Words a report of violations (robots2 §7, "REPORTING"): agent identity, address, time and path of each, and besides
 * them the rule, the version of the policy that the agent had fetched, and what its identity rests on.
 */
export function formatSubmission(
	origin: string,
	agent: string,
	violations: readonly Violation[],
	period: Period,
): Submission {
	const { host } = new URL(origin);
	const subject = `${host}: requests of ${agent} that violate the terms of the site (${violations.length})`;
	const text = [
		subject,
		'',
		`Site:    ${origin}`,
		`Agent:   ${agent}`,
		`Period:  ${iso(period.since)} to ${iso(period.until)}`,
		`Terms:   ${origin}/robots.txt and ${origin}/robots2.txt`,
		'',
		...violations.flatMap((violation, index) => paragraph(origin, violation, index)),
	].join('\n');
	const report = {
		site: origin,
		agent,
		period: { since: iso(period.since), until: iso(period.until) },
		policy: [`${origin}/robots.txt`, `${origin}/robots2.txt`],
		violations: violations.map((violation) => ({
			url: origin + violation.path,
			path: violation.path,
			method: violation.method,
			timestamp: iso(violation.at),
			ip: violation.address,
			agent: { name: violation.agent, categories: violation.categories.split(' ').filter(Boolean) },
			identity: { outcome: violation.outcome, evidence: evidenceOf(violation) },
			rule: violation.rule,
			policyFetched: violation.fetched,
			policyInForce: violation.inForce,
			status: violation.status,
		})),
	};
	return { subject, text, json: `${JSON.stringify(report, undefined, '\t')}\n` };
}

function paragraph(origin: string, violation: Violation, index: number): string[] {
	return [
		`${index + 1}. ${violation.method} ${origin}${violation.path}`,
		`   time:      ${iso(violation.at)}`,
		`   address:   ${violation.address}`,
		`   identity:  ${violation.outcome}; ${violation.evidence}`,
		`   rule:      ${violation.rule}`,
		`   policy:    ${violation.fetched === null ? 'never fetched' : `version ${violation.fetched} fetched`}, version ${violation.inForce} active`,
		`   answered:  ${violation.status}`,
		'',
	];
}
