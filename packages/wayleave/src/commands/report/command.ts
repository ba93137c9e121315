import { Command } from 'commander';
import { wholeNumber } from '../../shared/options/numbers.ts';
import { type CommandFactory, UsageError } from '../../terminal/command.ts';
import type { ReportFlags } from './flags.ts';

const work = () => import('./run.ts');

export const reportCommand: CommandFactory = (terminal, done) =>
	new Command('report')
		.option('--store <URL>', 'the ledger (default: from the policy file)')
		.option('--config <FILE>', 'the policy file (default: wayleave.config.yaml, where there is one)')
		.option('--origin <URL>', 'the site (default: from the policy file)')
		.option('--days <N>', 'days to include', wholeNumber(1), 30)
		.option('--agent <NAME>', 'only violations by this agent')
		.option('--limit <N>', 'list at most this many violations', wholeNumber(1), 1000)
		.option(
			'--submission <FORM>',
			'write a report about --agent to send: by mail, or as json for an HTTP POST',
			submissionForm,
		)
		.option('--json', 'everything as one object')
		.option('--csv', 'one line for each agent')
		.option('--html <FILE>', 'write a page for browsers and printers to this file')
		.action(async (flags: ReportFlags) => done(await (await work()).runReport(flags, terminal)));

function submissionForm(text: string): 'mail' | 'json' {
	if (text !== 'mail' && text !== 'json') throw new UsageError('--submission is mail or json');
	return text;
}
