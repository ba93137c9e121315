import { Command } from 'commander';
import { type CommandFactory, UsageError } from '../command.ts';
import { wholeNumber } from '../options/numbers.ts';
import type { ConfigFlags } from '../options/policy-file.ts';

const work = () => import('../actions/report.ts');

export interface ReportFlags extends ConfigFlags {
	store?: string;
	days: number;
	agent?: string;
	limit: number;
	submission?: 'mail' | 'json';
	json?: boolean;
	csv?: boolean;
	html?: string;
}

export const reportCommand: CommandFactory = (terminal, done) =>
	new Command('report')
		.option('--store <URL>', 'the ledger (default: as in the policy file)')
		.option('--config <FILE>', 'the policy file (default: wayleave.config.yaml, where there is one)')
		.option('--origin <URL>', 'the site (default: as in the policy file)')
		.option('--days <N>', 'how far back', wholeNumber(1), 30)
		.option('--agent <NAME>', 'violations of this agent only')
		.option('--limit <N>', 'violations that are listed, at most', wholeNumber(1), 1000)
		.option('--submission <FORM>', 'a report to send about --agent: mail, or json for an HTTP POST', submissionForm)
		.option('--json', 'everything as one object')
		.option('--csv', 'one line for each agent')
		.option('--html <FILE>', 'a page that prints well')
		.action(async (flags: ReportFlags) => done(await (await work()).runReport(flags, terminal)));

function submissionForm(text: string): 'mail' | 'json' {
	if (text !== 'mail' && text !== 'json') throw new UsageError('--submission is mail or json');
	return text;
}
