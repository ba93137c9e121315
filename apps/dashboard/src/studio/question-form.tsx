import { knownAgents } from '@wayleave/protocols/identity';
import { type Use, uses } from '@wayleave/protocols/policy';
import { Badge, Empty, Section, Select, TextField } from '../ui/index.ts';
import type { DescribedAgent } from './data.ts';
import { type Answer, type Question, verbOf } from './question.ts';

export interface QuestionFormProps {
	readonly question: Question;
	readonly onQuestion: (question: Question) => void;
	/** By the text in the editor. Undefined while that cannot be read. */
	readonly answer: Answer | undefined;
	/** By the policy in force. */
	readonly live: Answer;
	readonly described: readonly DescribedAgent[];
	readonly onShowLine: () => void;
	readonly onShowFile: () => void;
}

const useNames = Object.fromEntries(uses.map((use) => [use, verbOf(use) === use ? use : `${verbOf(use)} (${use})`]));

/** "May GPTBot train on /blog/x?", and the line that decides. */
export function QuestionForm({
	question,
	onQuestion,
	answer,
	live,
	described,
	onShowLine,
	onShowFile,
}: QuestionFormProps) {
	const names = [...new Set([...described, ...knownAgents].map(({ token, name }) => name ?? token))];
	return (
		<Section
			title="May an agent do this?"
			note="Answered by the files that the text in the editor yields, as an agent reads them."
		>
			<div class="stack">
				<div class="question">
					<TextField
						label="Agent"
						list="agent-names"
						value={question.agent}
						onInput={(event) => onQuestion({ ...question, agent: event.currentTarget.value })}
					/>
					<Select
						label="Use"
						options={useNames}
						value={question.use}
						onChange={(event) => onQuestion({ ...question, use: event.currentTarget.value as Use })}
					/>
					<TextField
						label="Path"
						value={question.path}
						error={question.path.startsWith('/') ? undefined : 'A path begins with /, such as /blog/x.'}
						onInput={(event) => onQuestion({ ...question, path: event.currentTarget.value })}
					/>
					<datalist id="agent-names">
						{names.map((name) => (
							<option key={name} value={name} />
						))}
					</datalist>
				</div>
				{answer === undefined ? (
					<Empty title="The text in the editor cannot be read: correct the marked lines, or see below for the policy in force." />
				) : (
					<div class="answer" role="status">
						<p class="answer-word">
							<Badge tone={answer.tone}>{answer.word}</Badge>
						</p>
						<p>{answer.sentence}</p>
					</div>
				)}
				<div class="tools">
					{answer?.place !== undefined && (
						<button type="button" onClick={onShowLine}>
							Go to line {answer.place.line} of the policy file
						</button>
					)}
					{answer?.published !== undefined && answer.published.line > 0 && (
						<button type="button" onClick={onShowFile}>
							Show line {answer.published.line} of {answer.published.name}
						</button>
					)}
				</div>
				<p class="soft">
					In force: <strong>{live.word}</strong>. {live.sentence}
				</p>
			</div>
		</Section>
	);
}
