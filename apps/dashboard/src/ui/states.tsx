import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide';
import type { ComponentChildren } from 'preact';
import { timeOfDay } from './format.ts';
import { Icon } from './icon.tsx';
import type { Resource } from './resource.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'neutral' | 'info';

const icons = { good: CircleCheck, warn: TriangleAlert, bad: CircleAlert, neutral: Info, info: Info } as const;

/** A word in a table or beside a heading. */
export function Badge({
	tone = 'neutral',
	href,
	children,
}: {
	tone?: Tone;
	href?: string;
	children: ComponentChildren;
}) {
	const name = `badge ${tone}`;
	return href === undefined ? (
		<span class={name}>{children}</span>
	) : (
		<a class={name} href={href}>
			{children}
		</a>
	);
}

/** A sentence that is announced when it changes: what was saved, or what to do next. */
export function Status({ tone = 'neutral', children }: { tone?: Tone; children: ComponentChildren }) {
	return (
		<p class={`status ${tone}`} role="status">
			{tone !== 'neutral' && <Icon of={icons[tone]} />}
			<span>{children}</span>
		</p>
	);
}

/** A box that must not be overlooked. */
export function Notice({ tone, title, children }: { tone: Tone; title: string; children?: ComponentChildren }) {
	return (
		<div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
			<Icon of={icons[tone]} />
			<div>
				<p class="notice-title">{title}</p>
				{children}
			</div>
		</div>
	);
}

/** Said where there is nothing to show, with the way on if there is one. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
	return (
		<div class="empty">
			<p class="empty-title">{title}</p>
			{children}
		</div>
	);
}

/** Grey lines where something is about to appear. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
	return (
		<div class="skeleton" role="status" aria-label="Loading">
			{Array.from({ length: lines }, (_, line) => (
				<span key={line} />
			))}
		</div>
	);
}

/** When figures were read, or why they could not be: one line for several resources. */
export function Freshness({ of, paused = false }: { of: readonly Resource<unknown>[]; paused?: boolean }) {
	const error = of.find((each) => each.error !== undefined)?.error;
	if (error !== undefined)
		return (
			<Status tone="bad">
				The figures cannot be read ({error}). {paused ? 'Paused.' : 'Trying again in a few seconds.'}
			</Status>
		);
	const times = of.flatMap(({ at }) => at ?? []);
	if (times.length === 0 || times.length < of.length) return <Status>Reading …</Status>;
	return (
		<Status>
			Read at {timeOfDay(Math.min(...times))}
			{paused ? '; paused' : ''}
		</Status>
	);
}

/** Shows a resource once it has arrived; before that, grey lines or the reason. */
export function Loaded<Value>({
	of,
	children,
}: {
	of: Resource<Value>;
	children: (value: Value) => ComponentChildren;
}) {
	if (of.value !== undefined) return <div aria-busy={of.isLoading}>{children(of.value)}</div>;
	if (of.error === undefined) return <Skeleton />;
	return (
		<Empty title="This cannot be read right now.">
			<p>{of.error}</p>
			<button type="button" onClick={of.reload}>
				Try again
			</button>
		</Empty>
	);
}
