import { agentCategories, isCommonToken, knownAgents } from '@wayleave/protocols/identity';
import { useMemo, useState } from 'preact/hooks';
import { Badge, Choice, count, Empty, Section, Status, TextField } from '../ui/index.ts';
import { accessOf } from './access.ts';
import type { Access, DescribedAgent, Place, SubjectKind } from './data.ts';
import { operators } from './suggestions.ts';

export interface SwitchesProps {
	readonly places: readonly Place[];
	readonly described: readonly DescribedAgent[];
	/** Requests of last week by the name of the agent. */
	readonly traffic: ReadonlyMap<string, number>;
	readonly isDisabled: boolean;
	/** The result of the last switch, or why it could not be made. */
	readonly said: { readonly tone: 'good' | 'bad'; readonly sentence: string } | undefined;
	readonly onSwitch: (kind: SubjectKind, name: string, access: Access, paths?: readonly string[]) => void;
}

const kinds = { agent: 'Agents', category: 'Categories', operator: 'Operators' } as const;
const accesses = { allow: 'Allow', limit: 'Limit', block: 'Block' } as const;
const pageSize = 12;

interface Subject {
	readonly name: string;
	readonly detail: string;
	readonly requests: number;
}

/** One switch for each agent, category or operator; it edits the policy file. */
export function Switches(props: SwitchesProps) {
	const { places, described, traffic, said } = props;
	const [kind, setKind] = useState<SubjectKind>('agent');
	const [wanted, setWanted] = useState('');
	const [shown, setShown] = useState(pageSize);
	const all = useMemo(() => subjectsOf(kind, described, traffic), [kind, described, traffic]);
	const found = all.filter(({ name, detail }) =>
		`${name} ${detail}`.toLowerCase().includes(wanted.trim().toLowerCase()),
	);
	return (
		<Section
			title="Access"
			note="Each switch edits the policy file. Nothing is published until you say so."
			tools={
				<Choice
					label="Switches for"
					options={kinds}
					value={kind}
					onChange={(next) => {
						setKind(next);
						setShown(pageSize);
					}}
				/>
			}
		>
			<div class="stack">
				<TextField
					label="Find"
					type="search"
					value={wanted}
					placeholder={kind === 'agent' ? 'Bytespider, OpenAI, search-indexer …' : ''}
					onInput={(event) => setWanted(event.currentTarget.value)}
				/>
				<Status tone={said?.tone ?? 'neutral'}>
					{said?.sentence ?? `${count(found.length)} of ${count(all.length)}`}
				</Status>
				{found.length === 0 && (
					<Empty title="Nothing by this name is known. Name it in the policy file: paths.agents." />
				)}
				<ul class="subjects">
					{found.slice(0, shown).map((subject) => (
						<SubjectRow key={`${kind} ${subject.name}`} {...props} kind={kind} subject={subject} places={places} />
					))}
				</ul>
				{found.length > shown && (
					<button type="button" onClick={() => setShown(shown + 5 * pageSize)}>
						Show more of {count(found.length)}
					</button>
				)}
			</div>
		</Section>
	);
}

function SubjectRow({
	kind,
	subject,
	places,
	described,
	isDisabled,
	onSwitch,
}: Omit<SwitchesProps, 'traffic' | 'said'> & { kind: SubjectKind; subject: Subject }) {
	const { name, detail, requests } = subject;
	const { access, note } = accessOf(kind, name, places, described);
	const [isLimiting, setLimiting] = useState(false);
	const change = (next: Access) => {
		setLimiting(next === 'limit' && kind !== 'category');
		if (next !== 'limit' || kind === 'category') onSwitch(kind, name, next);
	};
	const value = isLimiting ? 'limit' : access;
	return (
		<li>
			<div class="subject-row">
				<div class="subject-name">
					<strong>{name}</strong>
					<span class="soft">
						{[detail, requests > 0 && `${count(requests)} requests last week`].filter(Boolean).join(' · ')}
					</span>
					{note !== undefined && <Badge tone={access === 'block' ? 'bad' : 'neutral'}>{note}</Badge>}
				</div>
				<fieldset class="bare" disabled={isDisabled}>
					<legend class="quiet">{name}</legend>
					<Choice<Access> label={`Access of ${name}`} options={accesses} value={value as Access} onChange={change} />
				</fieldset>
			</div>
			{isLimiting && (
				<LimitForm
					name={name}
					onCancel={() => setLimiting(false)}
					onLimit={(paths) => {
						setLimiting(false);
						onSwitch(kind, name, 'limit', paths);
					}}
				/>
			)}
		</li>
	);
}

function LimitForm({
	name,
	onLimit,
	onCancel,
}: {
	name: string;
	onLimit: (paths: readonly string[]) => void;
	onCancel: () => void;
}) {
	const [paths, setPaths] = useState('/blog');
	const list = paths.split(/[\s,]+/).filter((path) => path !== '');
	return (
		<form
			class="form-row limit-form"
			onSubmit={(event) => {
				event.preventDefault();
				onLimit(list);
			}}
		>
			<TextField
				label={`Paths that ${name} may fetch`}
				hint="Beginnings of paths, with blanks between them. Everything else is disallowed."
				value={paths}
				onInput={(event) => setPaths(event.currentTarget.value)}
			/>
			<button type="submit" disabled={list.length === 0}>
				Limit
			</button>
			<button type="button" onClick={onCancel}>
				Cancel
			</button>
		</form>
	);
}

function subjectsOf(
	kind: SubjectKind,
	described: readonly DescribedAgent[],
	traffic: ReadonlyMap<string, number>,
): Subject[] {
	if (kind === 'category') return agentCategories.map((name) => ({ name, detail: '', requests: 0 }));
	const agents = [...described, ...knownAgents].map(({ token, name = token, operator, category }) => ({
		name,
		operator,
		detail: [operator, category].filter(Boolean).join(', '),
		requests: traffic.get(name) ?? 0,
	}));
	if (kind === 'operator') {
		return operators(described).map((name) => {
			const own = agents.filter(({ operator }) => operator === name);
			const requests = own.reduce((sum, each) => sum + each.requests, 0);
			const names = [...new Set(own.map((each) => each.name))];
			return {
				name,
				detail: `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`,
				requests,
			};
		});
	}
	const known = new Set(agents.map(({ name }) => name));
	const others = [...traffic].filter(([name]) => !known.has(name) && isAgentName(name));
	const seen = new Set<string>();
	return [...others.map(([name, requests]) => ({ name, detail: 'not in the catalogue', requests })), ...agents]
		.filter(({ name }) => isAgentName(name) && !seen.has(name) && seen.add(name))
		.sort((a, b) => b.requests - a.requests || a.name.localeCompare(b.name));
}

/** Names that a policy file takes. */
const isAgentName = (name: string): boolean =>
	/^\w[\w.-]*(?: \w[\w.-]*)*$/.test(name) && !name.split(' ').every(isCommonToken);
