/** What is wrong with the text of a YAML file, in words for whoever writes it; by the code of the parser's error. */
export function explainYamlError({
	code,
	message = '',
}: {
	readonly code?: string;
	readonly message?: string;
}): string {
	if (code === 'BAD_INDENT' && message.startsWith('Flow')) return 'a closing ] or } is missing';
	return sentences[code ?? ''] ?? 'this is not YAML';
}

const sentences: Readonly<Record<string, string>> = {
	ALIAS_PROPS: 'an alias (*name) stands alone, without anchor or tag',
	BAD_ALIAS: 'the alias (*name) has no anchor (&name) before it; quote a text that begins with *',
	BAD_COLLECTION_TYPE: 'the tag does not fit what follows it',
	BAD_DIRECTIVE: 'a line that begins with % is a YAML directive, and this is not a known one',
	BAD_DQ_ESCAPE: 'the backslash makes an escape that YAML does not have: write \\\\ or use single quotes',
	BAD_INDENT: 'the indentation does not fit the lines around it: entries of one group begin in one column',
	BAD_PROP_ORDER: 'an anchor or tag stands in the wrong place',
	BAD_SCALAR_START: 'a text cannot begin with this character: put it in quotes',
	BLOCK_AS_IMPLICIT_KEY: 'two keys are on one line: put each on a line of its own, or the value in quotes',
	BLOCK_IN_FLOW: 'an indented block cannot stand inside [ ] or { }',
	DUPLICATE_KEY: 'the key is there twice: keep one',
	IMPOSSIBLE: 'this is not YAML',
	KEY_OVER_1024_CHARS: 'a key is longer than 1024 characters: a : is missing, or a quote',
	MISSING_CHAR: 'something is missing here: a closing quote or bracket, a comma, or the space after a :',
	MULTILINE_IMPLICIT_KEY: 'a : is missing after the key, or a quote is not closed',
	MULTIPLE_ANCHORS: 'a value can have one anchor only',
	MULTIPLE_DOCS: 'one file is one document: remove the line ---',
	MULTIPLE_TAGS: 'a value can have one tag only',
	NON_STRING_KEY: 'a key must be text',
	RESOURCE_EXHAUSTION: 'it is nested too deeply',
	TAB_AS_INDENT: 'lines are indented with spaces, not tabs',
	TAG_RESOLVE_FAILED: 'the tag (!name) is not known',
	UNEXPECTED_TOKEN: 'this character cannot stand here: put the text in quotes',
};
