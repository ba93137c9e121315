import Negotiator from 'negotiator';

/**
 * The types on offer that a client accepts, the best first. Parameters other than `q` are ignored: `charset=utf-8` and
 * `variant=GFM` (RFC 7763) name what is on offer anyway, and refusing a client for others helps no one.
 */
export function acceptedTypes(accept: string, offered: readonly string[]): string[] {
	return new Negotiator({ headers: { accept: withoutParameters(accept) } }).mediaTypes([...offered]);
}

/** `Accept` with only the weight of each range. Quoted values may hold commas and semicolons (RFC 9110 §5.6.6). */
function withoutParameters(accept: string): string {
	const ranges = accept.match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/g) ?? [];
	return ranges
		.map((range) => {
			const [type = '', ...parameters] = range.match(/(?:"(?:[^"\\]|\\.)*"|[^";])+/g) ?? [];
			const weight = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter));
			return weight === undefined ? type.trim() : `${type.trim()};${weight.replace(/\s+/g, '')}`;
		})
		.join(', ');
}
