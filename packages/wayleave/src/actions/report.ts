import { existsSync } from 'node:fs';
import {
	complianceOf,
	formatReportCsv,
	formatReportHtml,
	formatReportJson,
	formatReportTable,
	formatSubmission,
	openLedger,
	type Report,
	violationsOf,
} from '@wayleave/gateway';
import { FileError } from '@wayleave/io/messages';
import { exitCodes, type Terminal, UsageError } from '../command.ts';
import type { ReportFlags } from '../commands/report.ts';
import { storeIn } from '../gateway/store.ts';
import { type PolicyFile, readPolicyFile } from '../options/policy-file.ts';
import { writeNamed } from '../output/write-file.ts';

export async function runReport(flags: ReportFlags, terminal: Terminal): Promise<number> {
	const forms = [flags.json, flags.csv, flags.submission !== undefined].filter(Boolean);
	if (forms.length > 1) throw new UsageError('--json, --csv and --submission all write to stdout: choose one');
	if (flags.submission !== undefined && flags.agent === undefined) throw new UsageError('--submission needs --agent');
	const policy = await readPolicyFile(flags, terminal);
	const report = await readReport(policy, flags, terminal);
	if (flags.html !== undefined) {
		writeNamed(flags.html, formatReportHtml(report), terminal);
		terminal.note(`written: ${flags.html}\n`);
	}
	if (flags.html === undefined || forms.length > 0) terminal.out(formatted(report, flags));
	if (flags.submission !== undefined && policy.config.reportTo.length > 0) {
		terminal.note(`send reports to this site at ${policy.config.reportTo.join(', ')}\n`);
	}
	return exitCodes.ok;
}

async function readReport({ config, base }: PolicyFile, flags: ReportFlags, { cwd }: Terminal): Promise<Report> {
	const store = flags.store === undefined ? storeIn(config.ledger.store, base) : storeIn(flags.store, cwd);
	const file = /^sqlite:(.+)$/i.exec(store)?.[1];
	// Opening would make an empty one, and the report would say that nobody came.
	if (file !== undefined && !existsSync(file))
		throw new FileError('file-not-found', store, 'the ledger does not exist');
	const ledger = await openLedger(store, { brief: true });
	try {
		const until = Date.now();
		const period = { since: until - flags.days * 86_400_000, until };
		const [agents, violations] = await Promise.all([
			complianceOf(ledger.db, period),
			violationsOf(ledger.db, period, flags.agent, flags.limit),
		]);
		return { site: config.origin, period, agents, violations };
	} finally {
		await ledger.close();
	}
}

function formatted(report: Report, flags: ReportFlags): string {
	if (flags.submission !== undefined) {
		const submission = formatSubmission(report.site, flags.agent!, report.violations, report.period);
		return flags.submission === 'json' ? submission.json : `Subject: ${submission.subject}\n\n${submission.text}`;
	}
	if (flags.json) return formatReportJson(report);
	return flags.csv ? formatReportCsv(report) : formatReportTable(report);
}
