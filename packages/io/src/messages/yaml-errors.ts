/** Explains a mistake in a YAML file to its author, by the code of the parser's error. */
export function explainYamlError({
	code,
	message = '',
}: {
	readonly code?: string;
	readonly message?: string;
}): string {
	if (code === 'BAD_INDENT' && message.startsWith('Flow')) return 'a closing ] or } is missing';
	return sentences[code ?? ''] ?? 'not valid YAML';
}

const sentences: Readonly<Record<string, string>> = {
	ALIAS_PROPS: 'an alias (*name) cannot have an anchor or tag',
	BAD_ALIAS: 'the alias (*name) has no anchor (&name) before it; quote a text that begins with *',
	BAD_COLLECTION_TYPE: 'the tag does not fit the value after it',
	BAD_DIRECTIVE: 'a line that begins with % is a YAML directive, and this one is unknown',
	BAD_DQ_ESCAPE: 'YAML has no such backslash escape: write \\\\ or use single quotes',
	BAD_INDENT: 'the indentation does not match the lines around it: start all entries of a group in the same column',
	BAD_PROP_ORDER: 'an anchor or tag is in the wrong place',
	BAD_SCALAR_START: 'text cannot begin with this character: put it in quotes',
	BLOCK_AS_IMPLICIT_KEY: 'two keys are on one line: put each on its own line, or quote the value',
	BLOCK_IN_FLOW: 'an indented block is not allowed inside [ ] or { }',
	DUPLICATE_KEY: 'the key appears twice: keep one',
	IMPOSSIBLE: 'not valid YAML',
	KEY_OVER_1024_CHARS: 'a key is longer than 1024 characters: a : or a quote is probably missing',
	MISSING_CHAR: 'something is missing here: a closing quote or bracket, a comma, or the space after a :',
	MULTILINE_IMPLICIT_KEY: 'a : is missing after the key, or a quote is not closed',
	MULTIPLE_ANCHORS: 'a value can have one anchor only',
	MULTIPLE_DOCS: 'a file holds one document: remove the line ---',
	MULTIPLE_TAGS: 'a value can have one tag only',
	NON_STRING_KEY: 'a key must be text',
	RESOURCE_EXHAUSTION: 'it nests too deeply',
	TAB_AS_INDENT: 'indent lines with spaces, not tabs',
	TAG_RESOLVE_FAILED: 'the tag (!name) is unknown',
	UNEXPECTED_TOKEN: 'this character is not allowed here: put the text in quotes',
};
