import { explainWith, lintFiles, problemTables } from '@wayleave/protocols/lint';
import { useMemo } from 'preact/hooks';
import { Badge, Empty, Section, Select } from '../ui/index.ts';
import type { Yielded, YieldedFile } from './data.ts';
import { Diff } from './diff.tsx';

export interface FilesProps {
	readonly live: Yielded;
	/** Undefined while the text in the editor cannot be read. */
	readonly draft: Yielded | undefined;
	readonly name: string;
	readonly onName: (name: string) => void;
	/** The line of this file that decides the question. */
	readonly lit: number | undefined;
}

const states = { same: 'the same', changed: 'changed', new: 'new', gone: 'no longer published' } as const;

/** Whether each file would change. */
export function changedFiles(
	live: Yielded,
	draft: Yielded | undefined,
): { name: string; state: keyof typeof states }[] {
	if (draft === undefined) return live.files.map(({ name }) => ({ name, state: 'same' }));
	const names = [...new Set([...draft.files, ...live.files].map(({ name }) => name))];
	return names.map((name) => {
		const [before, after] = [textOf(live, name), textOf(draft, name)];
		if (before === undefined) return { name, state: 'new' };
		if (after === undefined) return { name, state: 'gone' };
		return { name, state: before === after ? 'same' : 'changed' };
	});
}

const textOf = ({ files }: Yielded, name: string): string | undefined => files.find((file) => file.name === name)?.text;

/** Every file that the policy yields, beside what is live. */
export function Files({ live, draft, name, onName, lit }: FilesProps) {
	const files = changedFiles(live, draft);
	const current = files.find((file) => file.name === name) ?? files[0];
	if (current === undefined) return null;
	const options = Object.fromEntries(files.map((file) => [file.name, `${file.name} (${states[file.state]})`]));
	const changes = files.filter(({ state }) => state !== 'same').length;
	return (
		<Section
			title="Published files"
			note={
				draft === undefined
					? 'The text in the editor cannot be read: this is what is live.'
					: `${changes === 0 ? 'No file changes' : changes === 1 ? '1 file changes' : `${changes} files change`} when you publish.`
			}
			tools={changes > 0 ? <Badge tone="info">{changes} changed</Badge> : undefined}
		>
			<div class="stack">
				<Select
					label="File"
					options={options}
					value={current.name}
					onChange={(event) => onName(event.currentTarget.value)}
				/>
				<Lint files={(draft ?? live).files} name={current.name} />
				{textOf(draft ?? live, current.name) === '' && textOf(live, current.name) === '' ? (
					<Empty title="This policy adds nothing here." />
				) : (
					<Diff
						before={textOf(live, current.name) ?? ''}
						after={textOf(draft ?? live, current.name) ?? ''}
						names={['Live', 'After publishing']}
						lit={lit}
					/>
				)}
			</div>
		</Section>
	);
}

const sentences: Readonly<Record<string, { readonly sentence: string }>> = Object.assign({}, ...problemTables);
const nothing = { robotsNames: () => [], policyFile: () => [] };
const utf8 = new TextEncoder();

/** What lint finds in a published file, by the code that `wayleave lint` runs. */
function Lint({ files, name }: { files: readonly YieldedFile[]; name: string }) {
	const problems = useMemo(() => {
		const known = files.flatMap((file) =>
			file.format === undefined
				? []
				: [{ name: file.name, text: file.text, bytes: utf8.encode(file.text), format: file.format as 'robots' }],
		);
		const found = lintFiles(known, { folderOf: () => '' }, nothing).find(({ file }) => file === name);
		return found?.problems;
	}, [files, name]);
	if (problems === undefined) return null;
	if (problems.length === 0) return <p class="soft">Lint finds no problem in this file.</p>;
	return (
		<ul class="problems">
			{problems.slice(0, 20).map((problem, at) => (
				<li key={at} class={problem.severity}>
					{problem.line > 0 && <span class="soft">line {problem.line}: </span>}
					{explainWith(sentences[problem.code]?.sentence ?? problem.code, problem.args)}
				</li>
			))}
			{problems.length > 20 && <li class="soft">and {problems.length - 20} more</li>}
		</ul>
	);
}
