import { existsSync } from 'node:fs';
import {
	formatReportCsv,
	formatReportHtml,
	formatReportJson,
	formatReportTable,
	formatSubmission,
	openLedger,
	type Report,
	readReport,
} from '@wayleave/gateway';
import { FileError } from '@wayleave/io/messages';
import { storeIn } from '../../shared/gateway-store.ts';
import { type PolicyFile, readPolicyFile } from '../../shared/options/policy-file.ts';
import { writeNamed } from '../../shared/output/write-file.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import type { ReportFlags } from './flags.ts';

export async function runReport(flags: ReportFlags, terminal: Terminal): Promise<number> {
	const forms = [flags.json, flags.csv, flags.submission !== undefined].filter(Boolean);
	if (forms.length > 1) throw new UsageError('--json, --csv and --submission all write to stdout: choose one');
	if (flags.submission !== undefined && flags.agent === undefined) throw new UsageError('--submission needs --agent');
	const policy = await readPolicyFile(flags, terminal);
	const report = await openReport(policy, flags, terminal);
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

async function openReport({ config, base }: PolicyFile, flags: ReportFlags, { cwd }: Terminal): Promise<Report> {
	const store = flags.store === undefined ? storeIn(config.ledger.store, base) : storeIn(flags.store, cwd);
	const file = /^sqlite:(.+)$/i.exec(store)?.[1];
	// Opening would create an empty ledger, and the report would show no visits.
	if (file !== undefined && !existsSync(file))
		throw new FileError('file-not-found', store, 'the ledger does not exist');
	const ledger = await openLedger(store, { brief: true });
	try {
		const until = Date.now();
		const period = { since: until - flags.days * 86_400_000, until };
		return await readReport(ledger.db, config.origin, period, flags);
	} finally {
		await ledger.close();
	}
}

function formatted(report: Report, flags: ReportFlags): string {
	if (flags.submission !== undefined && flags.agent !== undefined) {
		const submission = formatSubmission(report.site, flags.agent, report.violations, report.period);
		return flags.submission === 'json' ? submission.json : `Subject: ${submission.subject}\n\n${submission.text}`;
	}
	if (flags.json) return formatReportJson(report);
	return flags.csv ? formatReportCsv(report) : formatReportTable(report);
}
