import { preparePolicies } from './prepare.ts';
import type { Agent, Policies, Use, Verdict } from './types.ts';

/**
 * May this agent put this URL to this use, and which lines say so? The most restrictive statement of all vocabularies
 * wins; silence is reported as unspecified. Pure: no clock, no network, no hidden state.
 *
 * For many URLs of one host use `preparePolicies`.
 */
export function decide(policies: Policies, agent: Agent, use: Use, url: string | URL): Verdict {
	const { page, ...host } = policies;
	return preparePolicies(host, agent).decide(use, url, page ? { page } : {});
}
