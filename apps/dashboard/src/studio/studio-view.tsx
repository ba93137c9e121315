import {
	Files as FilesIcon,
	History,
	LayoutDashboard,
	List,
	MessageCircleQuestion,
	SlidersHorizontal,
	Upload,
} from 'lucide';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
	Empty,
	Icon,
	type NavigationGroup,
	Notice,
	navigate,
	queryWith,
	Shell,
	Skeleton,
	Status,
	useQuery,
	useResource,
} from '../ui/index.ts';
import { messageOf, Refusal, send, useStudio } from './api.ts';
import { ComparisonView } from './comparison.tsx';
import type {
	Access,
	Comparison,
	KeptVersion,
	PolicyText,
	Preview,
	Published,
	StudioState,
	SubjectKind,
	Switched,
} from './data.ts';
import { Editor, type EditorProps } from './editor.tsx';
import { changedFiles, Files } from './files.tsx';
import { PolicyProblems } from './policy-problems.tsx';
import { type Publication, PublishDialog } from './publish-dialog.tsx';
import { answer, type Question } from './question.ts';
import { QuestionForm } from './question-form.tsx';
import { suggestionsAt } from './suggestions.ts';
import { Switches } from './switches.tsx';
import { Versions } from './versions.tsx';

const tabs = {
	'': { title: 'Access', icon: SlidersHorizontal },
	question: { title: 'Question', icon: MessageCircleQuestion },
	files: { title: 'Published files', icon: FilesIcon },
	week: { title: 'Last week', icon: List },
	versions: { title: 'Versions', icon: History },
} as const;
type Tab = keyof typeof tabs;
const isTab = (name: string): name is Tab => Object.hasOwn(tabs, name);

/** The studio, once its state is there. */
export function StudioPage() {
	const { value: state, error, reload } = useStudio<StudioState>('state');
	const query = useQuery();
	const tab = query.get('tab') ?? '';
	const current = isTab(tab) ? tab : '';
	if (state !== undefined) return <Studio state={state} reload={reload} tab={current} query={query} />;
	return (
		<Shell title="Policy studio" subject="…" navigation={navigationOf(current)}>
			{error === undefined ? (
				<Skeleton />
			) : (
				<Empty title="This cannot be read right now.">
					<p>{error.message}</p>
					<button type="button" onClick={reload}>
						Try again
					</button>
				</Empty>
			)}
		</Shell>
	);
}

function navigationOf(current: Tab): [NavigationGroup, NavigationGroup] {
	return [
		{ items: [{ title: 'Dashboard', href: './', icon: LayoutDashboard }] },
		{
			title: 'Policy studio',
			items: Object.entries(tabs).map(([name, { title, icon }]) => ({
				title,
				icon,
				href: name === '' ? '?' : `?tab=${name}`,
				isCurrent: name === current,
			})),
		},
	];
}

/** The parts of the studio, where the navigation is folded away. */
function PanelTabs({ current }: { current: Tab }) {
	const [, group] = navigationOf(current);
	return (
		<nav class="panel-tabs" aria-label="Parts of the studio">
			{group.items.map(({ title, href, isCurrent }) => (
				<a key={title} class="button" href={href} aria-current={isCurrent ? 'page' : undefined}>
					{title}
				</a>
			))}
		</nav>
	);
}

function Studio({
	state,
	reload,
	tab,
	query,
}: {
	state: StudioState;
	reload: () => void;
	tab: Tab;
	query: URLSearchParams;
}) {
	const [disk, setDisk] = useState<PolicyText | undefined>(state.file);
	const [text, setText] = useState(state.file?.text ?? '');
	const [replacement, setReplacement] = useState<{ readonly text: string }>();
	const replace = (next: string) => {
		setText(next);
		setReplacement({ text: next });
	};
	const latest = useRef(text);
	latest.current = text;
	const draft = usePreview(text);
	const [said, setSaid] = useState<{ tone: 'good' | 'bad'; sentence: string }>();
	const [target, setTarget] = useState<EditorProps['target']>();
	const [question, setQuestion] = useState<Question>({ agent: 'GPTBot', use: 'train', path: '/blog/x' });
	const publishing = usePublishing({ disk, setDisk, reload, setText: replace });
	const comparing = useComparison(text, state.live.version, tab === 'week');
	const traffic = useTraffic();
	const isDirty = disk !== undefined && disk.text !== text;
	useWarning(isDirty);
	const { yields } = draft.preview;
	const places = draft.preview.places;
	const errors = draft.preview.problems.filter(({ severity }) => severity === 'error');
	const reply = useMemo(
		() => (yields === undefined ? undefined : answer(question, yields, places)),
		[question, yields, places],
	);
	const live = useMemo(() => answer(question, state.live), [question, state.live]);
	const lit = tab === 'question' ? reply?.place?.line : undefined;
	useEffect(() => {
		if (lit !== undefined) setTarget({ line: lit, column: 1, takesFocus: false });
	}, [lit]);
	const onSwitch = async (kind: SubjectKind, name: string, access: Access, paths?: readonly string[]) => {
		try {
			const body = { text, subject: { kind, name }, access, ...(paths && { paths }) };
			const switched = await send<Switched>('switch', body);
			if (latest.current !== text) throw new Error('the text changed while the switch was made: use it again');
			replace(switched.text);
			setSaid({ tone: 'good', sentence: `${switched.sentence}.` });
		} catch (error) {
			setSaid({ tone: 'bad', sentence: messageOf(error) });
		}
	};
	const name = state.file?.name ?? 'The policy file';
	const file = query.get('file') ?? '';
	return (
		<Shell
			title="Policy studio"
			lede="Change the policy, see what it publishes and what it would have done, then publish it."
			subject={new URL(state.origin).host}
			navigation={navigationOf(tab)}
			tools={
				<>
					<DraftStatus isDirty={isDirty} errors={errors.length} isReading={draft.isReading} error={draft.error} />
					<button
						type="button"
						class="primary"
						disabled={state.file === undefined}
						onClick={() => publishing.open({ text, note: '', action: 'Publish' })}
					>
						<Icon of={Upload} size={15} />
						Publish …
					</button>
				</>
			}
		>
			{state.readOnly !== undefined && <Notice tone="info" title={`The studio is read-only: ${state.readOnly}`} />}
			{publishing.done !== undefined && <Status tone="good">{publishing.done}</Status>}
			<div class={tab === 'files' || tab === 'versions' ? 'studio wide' : 'studio'}>
				<section class="card studio-editor" aria-label={name}>
					<div class="card-head">
						<h2>{name}</h2>
					</div>
					<Editor
						label={`Text of ${name}`}
						text={text}
						replacement={replacement}
						onText={setText}
						problems={draft.preview.problems}
						lit={lit}
						target={target}
						isReadOnly={state.file === undefined}
						suggest={(value, offset) => suggestionsAt(value, offset, state.schema, yields?.agents)}
					/>
					<PolicyProblems
						problems={draft.preview.problems}
						onGo={({ line, column }) => setTarget({ line, column, takesFocus: true })}
					/>
				</section>
				<div class="studio-panel">
					<PanelTabs current={tab} />
					{tab === '' && (
						<Switches
							places={places}
							described={yields?.agents ?? []}
							traffic={traffic}
							isDisabled={state.file === undefined}
							said={said}
							onSwitch={(...given) => void onSwitch(...given)}
						/>
					)}
					{tab === 'question' && (
						<QuestionForm
							question={question}
							onQuestion={setQuestion}
							answer={reply}
							live={live}
							described={yields?.agents ?? []}
							onShowLine={() =>
								reply?.place && setTarget({ line: reply.place.line, column: reply.place.column, takesFocus: true })
							}
							onShowFile={() => navigate(queryWith({ tab: 'files', file: reply?.published?.name }))}
						/>
					)}
					{tab === 'files' && (
						<Files
							live={state.live}
							draft={yields}
							name={file}
							onName={(next) => navigate(queryWith({ file: next }))}
							lit={reply?.published?.name === file ? reply.published.line : undefined}
						/>
					)}
					{tab === 'week' && (
						<ComparisonView
							{...comparing}
							isLive={
								yields !== undefined && changedFiles(state.live, yields).every(({ state: each }) => each === 'same')
							}
							versions={state.versions}
						/>
					)}
					{tab === 'versions' && (
						<Versions
							versions={state.versions}
							current={disk?.revision}
							text={text}
							isDisabled={state.readOnly !== undefined}
							onRollBack={({ at }: KeptVersion, earlier) =>
								publishing.open({
									text: earlier,
									note: `Back to the version of ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
									action: 'Roll back',
								})
							}
						/>
					)}
				</div>
			</div>
			<PublishDialog
				{...publishing.dialog}
				disk={disk}
				readOnly={state.readOnly}
				errors={errors}
				files={changedFiles(state.live, yields).flatMap(({ name: each, state: is }) => (is === 'same' ? [] : each))}
			/>
		</Shell>
	);
}

function DraftStatus({
	isDirty,
	errors,
	isReading,
	error,
}: {
	isDirty: boolean;
	errors: number;
	isReading: boolean;
	error: string | undefined;
}) {
	if (error !== undefined) return <Status tone="bad">The text cannot be checked ({error}).</Status>;
	if (errors > 0) return <Status tone="bad">{errors === 1 ? '1 error' : `${errors} errors`}</Status>;
	if (isReading) return <Status>Checking …</Status>;
	return <Status tone={isDirty ? 'warn' : 'neutral'}>{isDirty ? 'Not published yet' : 'Same as on disk'}</Status>;
}

const nothingYet: Preview = { problems: [], places: [] };
/** Milliseconds after the last key. */
const pause = 200;

/** Asks the gateway to check a text, soon after it has changed. */
function usePreview(text: string) {
	const [preview, setPreview] = useState(nothingYet);
	const [checked, setChecked] = useState<string>();
	const [error, setError] = useState<string>();
	useEffect(() => {
		const stop = new AbortController();
		const timer = setTimeout(async () => {
			try {
				setPreview(await send<Preview>('preview', { text }, { signal: stop.signal }));
				setChecked(text);
				setError(undefined);
			} catch (failure) {
				if (!stop.signal.aborted) setError(messageOf(failure));
			}
		}, pause);
		return () => {
			clearTimeout(timer);
			stop.abort();
		};
	}, [text]);
	return { preview, error, isReading: checked !== text };
}

/** Requests of last week by agent. */
function useTraffic(): ReadonlyMap<string, number> {
	const { value } = useResource<{ agents: readonly { agent: string | null; requests: number }[] }>(
		'api/overview?period=7d',
	);
	return useMemo(() => {
		const traffic = new Map<string, number>();
		for (const { agent, requests } of value?.agents ?? [])
			if (agent !== null) traffic.set(agent, (traffic.get(agent) ?? 0) + requests);
		return traffic;
	}, [value]);
}

/** Replays last week by this text: when it is looked at, and when it is asked for. */
function useComparison(text: string, live: string, isShown: boolean) {
	const [found, setFound] = useState<{
		readonly text: string;
		/** The version in force then. */
		readonly live: string;
		readonly against: string;
		readonly result: Comparison;
	}>();
	const [against, setAgainst] = useState('');
	const [error, setError] = useState<string>();
	const [isRunning, setRunning] = useState(false);
	const onCompare = async () => {
		setRunning(true);
		try {
			const body = { text, ...(against !== '' && { against }) };
			setFound({ text, live, against, result: await send<Comparison>('compare', body) });
			setError(undefined);
		} catch (failure) {
			setError(messageOf(failure));
		}
		setRunning(false);
	};
	const isStale = found !== undefined && (found.text !== text || found.live !== live || found.against !== against);
	// While it is looked at, each letter that is typed is no reason to start again.
	useEffect(() => {
		if (isShown && !isRunning && (found === undefined || isStale)) void onCompare();
	}, [isShown]);
	return {
		found: found?.result,
		error,
		isRunning,
		isStale,
		against,
		onAgainst: setAgainst,
		onCompare: () => void onCompare(),
	};
}

interface PublishingOptions {
	readonly disk: PolicyText | undefined;
	readonly setDisk: (disk: PolicyText) => void;
	readonly reload: () => void;
	readonly setText: (text: string) => void;
}

/** The dialog, and what comes of it. */
function usePublishing({ disk, setDisk, reload, setText }: PublishingOptions) {
	const [publication, setPublication] = useState<Publication>();
	const [key, setKey] = useState('');
	const [isBusy, setBusy] = useState(false);
	const [failure, setFailure] = useState<Refusal>();
	const [done, setDone] = useState<string>();
	const base = useRef(disk?.revision ?? '');
	const close = () => {
		setPublication(undefined);
		setFailure(undefined);
	};
	const onPublish = async ({ text, note, action }: Publication) => {
		setBusy(true);
		try {
			const headers = { authorization: `Bearer ${key}` };
			const result = await send<Published>('publish', { text, note, base: base.current }, { headers });
			base.current = result.revision;
			setDisk({ text, revision: result.revision });
			if (action !== 'Publish') setText(text);
			setDone(`Published: policy version ${result.version} is active. Roll back in Versions.`);
			close();
			reload();
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			setFailure(error);
			// The next try replaces the text that is on disk now, which the page shows.
			if (error.current !== undefined) {
				base.current = error.current.revision;
				setDisk(error.current);
			}
		} finally {
			setBusy(false);
		}
	};
	return {
		open(next: Publication) {
			setDone(undefined);
			setPublication(next);
		},
		done,
		dialog: {
			publication,
			key_: key,
			onKey: setKey,
			isBusy,
			error: failure?.message,
			conflict: failure?.current,
			onTakeDisk() {
				if (failure?.current !== undefined) setText(failure.current.text);
				close();
			},
			onPublish: (next: Publication) => void onPublish(next),
			onClose: close,
		},
	};
}

/** Asks before a text that is not published is lost. */
function useWarning(isDirty: boolean): void {
	useEffect(() => {
		if (!isDirty) return;
		const warn = (event: BeforeUnloadEvent) => event.preventDefault();
		addEventListener('beforeunload', warn);
		return () => removeEventListener('beforeunload', warn);
	}, [isDirty]);
}
