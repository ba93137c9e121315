import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { escapeLabel, formatFamily } from '@wayleave/io/metrics';
import { replaceFile } from '../../shared/output/write-file.ts';
import { type Terminal, UsageError } from '../../terminal/command.ts';
import { version } from '../../terminal/version.ts';
import type { Counts } from './counts.ts';
import { fillName } from './output-names.ts';
import type { Shard } from './shard.ts';

/** How a run of `convert` ended, for the scheduler that started it. */
export interface ConvertSummary {
	readonly exitCode: number;
	readonly counts: Counts;
	/** Inputs of this shard. */
	readonly inputs: number;
	readonly shard: Shard | undefined;
	/** Milliseconds since 1970. */
	readonly startedAt: number;
	readonly endedAt: number;
	/** Why the run could not go on. */
	readonly error?: string;
}

const formats = [/\.json$/i, /\.prom$/i] as const;

/** @throws UsageError */
export function checkSummaries(names: readonly string[], shard: Shard | undefined): void {
	for (const name of names) {
		if (!formats.some((pattern) => pattern.test(name)) && !isDevice(name))
			throw new UsageError(`--summary ${name}: name FILE.json, or FILE.prom for Prometheus`);
		if (shard === undefined && name.includes('{shard}'))
			throw new UsageError(`--summary ${name}: {shard} needs --shard INDEX/COUNT`);
	}
}

/** Such as `/dev/termination-log` of Kubernetes, which has no ending. */
const isDevice = (name: string): boolean => name.startsWith('/dev/');

/** @throws FileError */
export function writeSummaries(names: readonly string[], summary: ConvertSummary, { cwd }: Terminal): void {
	for (const name of names) {
		const filled = fillName(name, undefined, summary.shard);
		const text = formats[1].test(name) ? formatMetrics(summary) : `${JSON.stringify(toJson(summary))}\n`;
		// Kubernetes mounts its file there, which cannot be replaced.
		if (isDevice(filled)) writeFileSync(filled, text);
		else replaceFile(resolve(cwd, filled), text, filled);
	}
}

function toJson({ exitCode, counts, inputs, shard, startedAt, endedAt, error }: ConvertSummary) {
	return {
		exit_code: exitCode,
		documents: counts.written,
		failed: counts.failed,
		passed_over: counts.passedOver,
		inputs,
		inputs_converted: counts.inputs,
		inputs_already_done: counts.alreadyDone,
		inputs_unread: counts.unread,
		...(shard && { shard: shard.index, shards: shard.count }),
		started_at: new Date(startedAt).toISOString(),
		seconds: (endedAt - startedAt) / 1000,
		version,
		...(error !== undefined && { error }),
	};
}

/** Text for the textfile collector of the node exporter, or a push gateway. */
function formatMetrics({ exitCode, counts, inputs, shard, startedAt, endedAt }: ConvertSummary): string {
	const label = shard === undefined ? '' : `shard="${escapeLabel(`${shard.index}/${shard.count}`)}"`;
	const states = { converted: counts.inputs, already_done: counts.alreadyDone, unread: counts.unread };
	const stateLabels = Object.entries(states).map(
		([state, value]) => [`${label === '' ? '' : `${label},`}state="${state}"`, value] as const,
	);
	const gauge = (name: string, help: string, value: number | ReadonlyMap<string, number>) => {
		const values = typeof value === 'number' ? new Map([[label, value]]) : value;
		return formatFamily(`wayleave_convert_${name}`, 'gauge', help, values);
	};
	const lines = [
		gauge('documents', 'Documents written by the last run, or by an earlier one that it relied on.', counts.written),
		gauge('failed', 'Pages and records that could not be converted.', counts.failed),
		gauge('passed_over', 'Records without a page.', counts.passedOver),
		gauge('inputs', 'Archives and pages of this shard.', inputs),
		gauge('inputs_by_state', 'Inputs of this shard by state.', new Map(stateLabels)),
		gauge('duration_seconds', 'Duration of the last run.', (endedAt - startedAt) / 1000),
		gauge('end_time_seconds', 'Unix time at which the last run ended.', endedAt / 1000),
		gauge(
			'exit_code',
			'Exit code of the last run: 0 done, 1 pages failed, 3 could not run, 130 interrupted.',
			exitCode,
		),
	];
	return `${lines.flat().join('\n')}\n`;
}
