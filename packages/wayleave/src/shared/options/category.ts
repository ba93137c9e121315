import { misspeltCategory } from '@wayleave/protocols/identity';
import type { Terminal } from '../../terminal/command.ts';

/** Other categories than those of robots2.txt may be agreed on with a site, so one that looks misspelt is only remarked on. */
export function tellMisspelt(categories: readonly string[], terminal: Terminal): void {
	for (const category of categories) {
		const suggestion = misspeltCategory(category);
		if (suggestion !== undefined)
			terminal.note(
				`--category ${category} is not a robots2.txt category and is used as a custom one: did you mean ${suggestion}?\n`,
			);
	}
}
