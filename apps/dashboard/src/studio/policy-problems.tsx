import type { PolicyProblem } from './data.ts';

const shown = 50;

/** What lint finds in the policy file; each leads to its line. */
export function PolicyProblems({
	problems,
	onGo,
}: {
	problems: readonly PolicyProblem[];
	onGo: (problem: PolicyProblem) => void;
}) {
	if (problems.length === 0) return <p class="hint">Lint finds no problem in this text.</p>;
	return (
		<ul class="problems" aria-label="Problems">
			{problems.slice(0, shown).map((problem, at) => (
				<li key={at} class={problem.severity}>
					<span class="problem-kind">{problem.severity}</span>
					{problem.line > 0 && (
						<button type="button" class="link" onClick={() => onGo(problem)}>
							line {problem.line}
						</button>
					)}
					<span>{problem.sentence}</span>
				</li>
			))}
			{problems.length > shown && <li class="soft">and {problems.length - shown} more</li>}
		</ul>
	);
}
