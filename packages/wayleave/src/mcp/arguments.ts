import { nearestWord } from '@wayleave/io/messages';
import { z } from 'zod';
import { UsageError } from '../command.ts';
import { addressFault } from '../options/address-fault.ts';
import { readAddress } from '../options/seeds.ts';
import { oneLine } from '../output/one-line.ts';

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

function readable(value: string): string | { readonly fault: string } {
	// A URL parser would drop tabs and line breaks, and check another address than the one sent.
	const fault = addressFault(value);
	if (fault !== undefined) return { fault };
	try {
		return readAddress(value.trim());
	} catch (error) {
		if (error instanceof UsageError) return { fault: oneLine(error.message) };
		throw error;
	}
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
	const meant = nearestWord(key, known) ?? otherNames[key.toLowerCase().replaceAll(/[-_]/g, '')];
	const isKnown = meant !== undefined && known.includes(meant);
	return `there is no argument "${name}"${isKnown ? `: did you mean "${meant}"?` : ` (there are: ${known.join(', ')})`}`;
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
