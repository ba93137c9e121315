import { expect, it } from 'vitest';
import { inertMarkdown } from './inert-markdown.ts';

it.each([
	['<script>x</script>', '\\<script>x\\</script>'],
	['a < b, <https://h/>', 'a < b, <https://h/>'],
	['[x](javascript:alert(1))', '[x](#javascript:alert(1))'],
	['![x]( DATA:text/html,x)', '![x]( #DATA:text/html,x)'],
	['[x](&#106;avascript&colon;x)', '[x](#&#106;avascript&colon;x)'],
	['[x](javascript\\:x)', '[x](#javascript\\:x)'],
	['[x]: vbscript:x', '[x]: #vbscript:x'],
	['[x](/a) [y](https://h/) [z](mailto:a@b.example)', '[x](/a) [y](https://h/) [z](mailto:a@b.example)'],
	['```\n<b>\n```\n<b>', '```\n<b>\n```\n\\<b>'],
])('SOM-35 %o becomes %o', (text, inert) => {
	expect(inertMarkdown(text)).toBe(inert);
});
