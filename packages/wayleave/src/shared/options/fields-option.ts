import { Option } from 'commander';

/** Apart from what reads the schema, so that help does not load the crawler. */
export const fieldsOption = (): Option =>
	new Option(
		'--fields <SCHEMA>',
		'fill this JSON Schema from each page: from structured data, x-select and what the text states, never by guessing',
	);
