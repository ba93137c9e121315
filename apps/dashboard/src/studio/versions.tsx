import { useState } from 'preact/hooks';
import { Empty, Section, Skeleton } from '../ui/index.ts';
import { call, messageOf, useStudio } from './api.ts';
import { timeOf } from './comparison.tsx';
import type { KeptVersion } from './data.ts';
import { Diff } from './diff.tsx';

export interface VersionsProps {
	readonly versions: readonly KeptVersion[];
	/** The revision of the file on disk. */
	readonly current: string | undefined;
	readonly text: string;
	readonly isDisabled: boolean;
	readonly onRollBack: (version: KeptVersion, text: string) => void;
}

/** Earlier versions of the policy file, and the way back to each. */
export function Versions({ versions, current, text, isDisabled, onRollBack }: VersionsProps) {
	const [shown, setShown] = useState('');
	const newest = versions.find(({ revision }) => revision === current)?.id;
	return (
		<Section title="Versions" note="Each publication keeps the version before it. The latest 200 stay.">
			{versions.length === 0 && (
				<Empty title="Nothing has been published here yet. The first publication keeps what is on disk now." />
			)}
			<ul class="subjects">
				{versions.map((version) => (
					<li key={version.id}>
						<div class="subject-row">
							<div class="subject-name">
								<strong>{timeOf(version.at)}</strong>
								<span>{version.note === '' ? 'no note' : version.note}</span>
								{version.id === newest && <span class="soft">the file on disk now</span>}
							</div>
							<div class="tools">
								<button
									type="button"
									aria-expanded={shown === version.id}
									onClick={() => setShown(shown === version.id ? '' : version.id)}
								>
									Compare<span class="quiet"> the version of {timeOf(version.at)} with the editor</span>
								</button>
								{version.id !== newest && (
									<RollBack version={version} isDisabled={isDisabled} onRollBack={onRollBack} />
								)}
							</div>
						</div>
						{shown === version.id && <VersionDiff id={version.id} text={text} />}
					</li>
				))}
			</ul>
		</Section>
	);
}

function RollBack({
	version,
	isDisabled,
	onRollBack,
}: Pick<VersionsProps, 'isDisabled' | 'onRollBack'> & { version: KeptVersion }) {
	const [error, setError] = useState<string>();
	const go = async () => {
		try {
			onRollBack(version, (await call<{ text: string }>(`versions/${version.id}`)).text);
		} catch (failure) {
			setError(messageOf(failure));
		}
	};
	return (
		<>
			<button type="button" disabled={isDisabled} onClick={() => void go()}>
				Roll back<span class="quiet"> to the version of {timeOf(version.at)}</span>
			</button>
			{error !== undefined && <span role="alert">{error}</span>}
		</>
	);
}

function VersionDiff({ id, text }: { id: string; text: string }) {
	const { value, error } = useStudio<{ text: string }>(`versions/${id}`);
	if (error !== undefined) return <Empty title={error.message} />;
	if (value === undefined) return <Skeleton />;
	return <Diff before={value.text} after={text} names={['That version', 'The editor']} />;
}
