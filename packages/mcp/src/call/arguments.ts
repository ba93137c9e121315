import { nearestWord } from '@wayleave/io/messages';
import { readTypedAddress } from '@wayleave/io/typed-address';
import { oneLine } from '@wayleave/protocols/text';
import { addressFault } from '@wayleave/protocols/url';
import { z } from 'zod';

/** The address of a page, parsed as on the command line: `example.com` is https, `localhost:8080` http. */
export function address(description: string) {
	return z
		.string()
		.max(2048)
		.transform((value, context) => {
			const read = readable(value);
			if (typeof read === 'string') return read;
			context.addIssue({ code: 'custom', message: read.fault, input: value });
			return z.NEVER;
		})
		.describe(`${description}: http or https, at most 2,048 characters; example.com means https://example.com/`);
}

/** A switch that is off by default. */
export const off = z.boolean().default(false);

export const whole = (min: number, max: number) => z.number().int().min(min).max(max);

function readable(value: string): string | { readonly fault: string } {
	// A URL parser would drop tabs and line breaks, and check another address than the one sent.
	const fault = addressFault(value);
	if (fault !== undefined) return { fault };
	const read = readTypedAddress(value.trim());
	return 'fault' in read ? { fault: oneLine(read.fault) } : read.url.href;
}

/** Arguments of a tool. An unknown argument is refused by name. */
export function argumentsOf<Shape extends z.core.$ZodShape>(shape: Shape) {
	return z.strictObject(shape, {
		error: (issue) => {
			if (issue.code !== 'unrecognized_keys') return undefined;
			const known = Object.keys(shape);
			return issue.keys.map((key) => unknownArgument(key, known)).join('; ');
		},
	});
}

function unknownArgument(key: string, known: readonly string[]): string {
	const name = oneLine(key.slice(0, 100));
	const suggestion = nearestWord(key, known) ?? otherNames[key.toLowerCase().replaceAll(/[-_]/g, '')];
	const isKnown = suggestion !== undefined && known.includes(suggestion);
	return `there is no argument "${name}"${isKnown ? `: did you mean "${suggestion}"?` : ` (there are: ${known.join(', ')})`}`;
}

/** Argument names of other servers, without hyphens and underscores, and their names here. */
const otherNames: Readonly<Record<string, string>> = {
	startindex: 'start',
	offset: 'start',
	maxlength: 'max_characters',
	maxchars: 'max_characters',
	uri: 'url',
	link: 'url',
	address: 'url',
	heading: 'section',
	force: 'refresh',
	q: 'query',
	count: 'limit',
	maxresults: 'limit',
	site: 'host',
	domain: 'host',
	pages: 'max_pages',
	useragent: 'agent',
	bot: 'agent',
	use: 'uses',
	code: 'reason',
	type: 'format',
};
