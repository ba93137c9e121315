import { findAgentByToken } from '@wayleave/protocols/identity';
import type { Config } from '../config/schema.ts';
import { isVerifiable, namesInRobots, whyUnmatched } from '../identify/named-agents.ts';
import { type PublishProblem, publishProblem } from './problems.ts';

const why = {
	number: 'is no more than a number',
	common: 'is a word in the User-Agent of browsers and many agents',
	'no-token': 'is not a product token',
	signal: 'is only a robots.txt token, which no request sends',
} as const;

/** Names in the groups of a robots.txt by which no request can be told. */
export function checkRobotsNames(text: string): PublishProblem[] {
	return namesInRobots(text).flatMap(({ name, written, line }) => {
		const reason = whyUnmatched(name);
		if (reason === undefined) return [];
		return [
			publishProblem(
				'publish-name-unmatched',
				{ name: name || written, why: why[/^\d+$/.test(name) ? 'number' : reason] },
				{ line, column: 1 },
			),
		];
	});
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
				// Who writes `claimed` knows.
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
