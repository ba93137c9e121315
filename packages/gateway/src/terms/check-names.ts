import { findAgentByToken } from '@wayleave/protocols/identity';
import type { Config } from '../config/schema.ts';
import { isVerifiable, namesInRobots, whyUnmatched } from './named-agents.ts';
import { type PublishProblem, publishProblem } from './problems.ts';

const why = {
	number: 'is no more than a number',
	common: 'is a word in the User-Agent of browsers and many agents',
	'no-token': 'is not a product token',
	signal: 'is only a robots.txt token, which no request sends',
	list: 'is not the first name in its User-agent line, and parsers read only that one',
} as const;

/** Names in the groups of a robots.txt by which no request can be told. */
export function checkRobotsNames(text: string): PublishProblem[] {
	return namesInRobots(text).flatMap(({ name, written, line }) => {
		const report = (unmatched: string, reason: keyof typeof why) =>
			publishProblem('publish-name-unmatched', { name: unmatched, why: why[reason] }, { line, column: 1 });
		const behind = laterNames(written).map((later) => report(later, 'list'));
		// `Example-*`: without the star, a name that ends in a hyphen is left.
		if (/^[^*]*[-_.]\*/.test(written)) return [report(written, 'no-token'), ...behind];
		const reason = whyUnmatched(name);
		if (reason === undefined) return behind;
		return [report(name || written, /^\d+$/.test(name) ? 'number' : reason), ...behind];
	});
}

/** The names after the first in `User-agent: AlphaBot, BetaBot`. */
function laterNames(written: string): string[] {
	return written
		.replace(/\(.*$/, '')
		.split(/[,;]/)
		.slice(1)
		.map((part) => part.replace(/\/.*$/, '').trim())
		.filter((part) => part !== '' && whyUnmatched(part) === undefined);
}

/** Names in the rules for asks: who can prove to be meant, and who is believed. */
export function checkAskNames(config: Pick<Config, 'ask' | 'identity'>): PublishProblem[] {
	const found = Object.entries(config.ask).flatMap(([directive, rules]) =>
		[rules ?? []].flat().flatMap(({ agents = [], identity, decision }) =>
			agents.flatMap((name): PublishProblem[] => {
				if (findAgentByToken(name)?.signalOnly)
					return [publishProblem('publish-name-unmatched', { name, why: why.signal })];
				if (decision === 'deny' || isVerifiable(config, name)) return [];
				if (identity === 'verified') return [publishProblem('publish-name-unprovable', { directive, name })];
				// With an explicit `claimed` there is no warning.
				return identity === undefined ? [publishProblem('publish-name-on-trust', { directive, name })] : [];
			}),
		),
	);
	const seen = new Set<string>();
	return found.filter(({ code, args }) => {
		const key = JSON.stringify([code, args]);
		return !seen.has(key) && seen.add(key);
	});
}
