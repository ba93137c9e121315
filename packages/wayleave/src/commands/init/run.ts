import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseConfig } from '@wayleave/gateway';
import { refuseTwoOnStdout, writeNamed } from '../../shared/output/write-file.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import { converse } from '../../terminal/process-terminal.ts';
import {
	type Answers,
	checkAnswer,
	defaultAnswers,
	type Preset,
	presetAnswers,
	questionNames,
	questions,
	readAnswers,
} from './answers.ts';
import type { InitFlags } from './flags.ts';
import { policyText } from './policy-text.ts';

/** Asks one question and gives what was typed, trimmed. */
export type Ask = (question: string) => Promise<string>;

export async function runInit(flags: InitFlags, terminal: Terminal): Promise<number> {
	const toStdout = flags.out === '-';
	refuseTwoOnStdout(flags.out, flags);
	const path = resolve(terminal.cwd, flags.out);
	if (!toStdout && existsSync(path) && flags.force !== true)
		throw new UsageError(`${flags.out} already exists: use --force to overwrite it`);
	const asks = flags.yes !== true && terminal.interactive && process.stdin.isTTY === true;
	const collect = (ask?: Ask) => collectAnswers(flags, ask, terminal);
	const answers = await (asks ? converse(collect) : collect());
	if (answers === undefined) {
		terminal.note('\ncancelled: nothing was written\n');
		return exitCodes.interrupted;
	}
	const text = policyText(answers);
	parseConfig(text, flags.out);
	writeNamed(flags.out, text, terminal);
	if (toStdout) return exitCodes.ok;
	if (flags.json) terminal.out(`${JSON.stringify({ written: flags.out, origin: answers.origin })}\n`);
	else if (!terminal.quiet) terminal.out(`wrote ${flags.out}\n`);
	terminal.note(`next: wayleave publish DIR, then wayleave check-live ${answers.origin}\n`);
	return exitCodes.ok;
}

/**
 * Takes flags, else replies, else suggestions. An invalid reply is asked for again.
 *
 * @param ask undefined: no questions
 * @throws UsageError where a flag will not do, or no flag or reply names the site
 */
export async function collectAnswers(flags: InitFlags, ask: Ask | undefined, terminal: Terminal): Promise<Answers> {
	const texts: Partial<Record<keyof Answers, string>> = {};
	for (const name of questionNames) {
		const given = flags[name];
		const problem = given === undefined ? undefined : checkAnswer(name, given);
		if (problem !== undefined) throw new UsageError(`--${name} ${given}: ${problem}`);
		texts[name] = given ?? (await askFor(name, texts.preset as Preset | undefined, ask, terminal));
	}
	return readAnswers(texts as Record<keyof Answers, string>);
}

async function askFor(
	name: keyof Answers,
	preset: Preset | undefined,
	ask: Ask | undefined,
	terminal: Terminal,
): Promise<string> {
	const suggestions = preset === undefined ? defaultAnswers : presetAnswers[preset];
	const suggested = name === 'origin' ? '' : String(suggestions[name] ?? '');
	if (ask === undefined) {
		if (name === 'origin') throw new UsageError('no site given: pass --origin https://example.com');
		return suggested;
	}
	const { text, values } = questions[name];
	const choice = values === undefined ? '' : ` (${values.join(', ')})`;
	const hint = suggested === '' ? '' : ` [${suggested}]`;
	for (;;) {
		const answer = (await ask(`${text}${choice}${hint}: `)).trim() || suggested;
		const problem = checkAnswer(name, answer);
		if (problem === undefined) return answer;
		terminal.err(`${problem}, please\n`);
	}
}
