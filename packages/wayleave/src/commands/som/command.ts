import { Command, InvalidArgumentError, Option } from 'commander';
import type { SomFlags } from '../../shared/compile-som.ts';
import { withAgentOptions } from '../../shared/options/agent.ts';
import { wholeNumber } from '../../shared/options/numbers.ts';
import { withRenderOptions } from '../../shared/options/render.ts';
import { wordsOf } from '../../shared/options/words.ts';
import type { CommandFactory } from '../../terminal/command.ts';
import type { SomCommandFlags } from './flags.ts';

const work = () => import('./run.ts');

export const somCommand: CommandFactory = (terminal, done) => {
	const command = new Command('som')
		.argument('<FILE|URL>', 'a saved page (.html, .html.gz; - is stdin), or one to fetch on the terms of its site')
		.option('--url <URL>', 'the URL of a saved page (default: the canonical URL in the page)')
		.addOption(
			new Option('--scope <SCOPE>', 'how much of the page')
				.choices(
					wordsOf<NonNullable<SomFlags['scope']>>({ 'full-page': true, 'main-content': true, 'article-body': true }),
				)
				.default('main-content'),
		)
		.addOption(
			new Option('--format <FORMAT>', 'what to print')
				.choices(
					wordsOf<NonNullable<SomFlags['format']>>({ 'SOM/1.0': true, markdown: true, 'accessibility-tree': true }),
				)
				.default('SOM/1.0'),
		)
		.option('--budget <N>', 'at most N tokens; none removes the limits of the specification', budget);
	command
		.option('--stdin-name <NAME>', 'the name for stdin in messages, such as page.html')
		.option('--json', 'errors as JSON objects on stdout, too');
	withRenderOptions(command);
	withAgentOptions(command);
	return command.action(async (target: string, flags: SomCommandFlags) =>
		done(await (await work()).runSom(target, flags, terminal)),
	);
};

function budget(text: string): number | 'none' {
	if (text === 'none') return text;
	try {
		return wholeNumber(1)(text);
	} catch {
		throw new InvalidArgumentError('a number of tokens, or none');
	}
}
