import { scaleLinear, scaleTime } from 'd3-scale';
import { curveMonotoneX, line, stack } from 'd3-shape';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count, cut, moment, roughly, timeTick } from './format.ts';
import { Empty } from './states.tsx';
import { type Column, Table } from './table.tsx';

/** Values over time with one name. */
export interface Series {
	/** Short and without repetition: the legend and the table show it. */
	readonly name: string;
	/** As many as there are times. */
	readonly values: readonly number[];
	/** Default: the next of eight colours. */
	readonly tone?: 'good' | 'warn' | 'bad' | 'neutral' | 'info';
}

export interface ChartProps {
	/** What is shown, in a few words; the table has it as its caption. */
	readonly title: string;
	readonly kind: 'lines' | 'bars';
	/** Where each slice of time begins; milliseconds since 1970, at equal distances. */
	readonly times: readonly number[];
	readonly series: readonly Series[];
	readonly format?: (value: number) => string;
	/** Said where all values are 0. */
	readonly empty: string;
	/** Names of series that are not drawn. Default: the chart remembers them itself. */
	readonly hidden?: ReadonlySet<string>;
	readonly onToggle?: (name: string) => void;
	/** Pixels. Default 220. */
	readonly height?: number;
}

const margin = { top: 10, right: 12, bottom: 26, left: 52 };
/** Pixels between two labels of the time axis, about. */
const tickDistance = 96;
/** Pixels of a character of a label. */
const characterWidth = 7;
const colours = 8;
const maxNameLength = 40;

/** Lines or stacked bars over time, as SVG; the same values as a table for screen readers and for saving. */
export function Chart(props: ChartProps) {
	const { title, times, series, empty, format = roughly } = props;
	const [hidden, toggle] = useHidden(props);
	const isEmpty = series.every(({ values }) => values.every((value) => value === 0));
	if (isEmpty) return <Empty title={empty} />;
	const shown = series.flatMap((each, at) =>
		hidden.has(each.name) ? [] : [{ ...each, className: each.tone ?? `series-${at % colours}` }],
	);
	return (
		<figure class="chart">
			{series.length > 1 && <Legend series={series} hidden={hidden} onToggle={toggle} />}
			<Drawing {...props} format={format} series={shown} />
			<details class="chart-table">
				<summary>
					Values as a table<span class="quiet">: {title}</span>
				</summary>
				<ValueTable title={title} times={times} series={series} />
			</details>
		</figure>
	);
}

function useHidden({ hidden, onToggle }: ChartProps): [ReadonlySet<string>, (name: string) => void] {
	const [own, setOwn] = useState<ReadonlySet<string>>(new Set());
	if (hidden !== undefined && onToggle !== undefined) return [hidden, onToggle];
	const toggle = (name: string) =>
		setOwn((last) => {
			const next = new Set(last);
			if (!next.delete(name)) next.add(name);
			return next;
		});
	return [own, toggle];
}

function Legend({
	series,
	hidden,
	onToggle,
}: {
	series: readonly Series[];
	hidden: ReadonlySet<string>;
	onToggle: (name: string) => void;
}) {
	return (
		<ul class="legend" aria-label="Series in the chart">
			{series.map(({ name, tone }, at) => (
				<li key={name}>
					<button type="button" aria-pressed={!hidden.has(name)} onClick={() => onToggle(name)}>
						<span class={`swatch ${tone ?? `series-${at % colours}`}`} aria-hidden="true" />
						{cut(name, maxNameLength)}
					</button>
				</li>
			))}
		</ul>
	);
}

interface DrawnSeries extends Series {
	readonly className: string;
}

type DrawingProps = Omit<ChartProps, 'series'> & {
	readonly series: readonly DrawnSeries[];
	readonly format: (value: number) => string;
};

function Drawing({ title, kind, times, series, format, height = 220 }: DrawingProps) {
	const box = useRef<HTMLDivElement>(null);
	const width = useWidth(box);
	const [at, setAt] = useState<number>();
	const scales = useMemo(() => scalesOf(kind, times, series, width, height), [kind, times, series, width, height]);
	const { x, y, step } = scales;
	const point = (event: PointerEvent) => {
		const left = event.clientX - (box.current?.getBoundingClientRect().left ?? 0);
		const next = Math.floor((left - margin.left) / step);
		setAt(next >= 0 && next < times.length ? next : undefined);
	};
	const sums = series.map(({ name, values }) => `${name} ${format(values.reduce((sum, value) => sum + value, 0))}`);
	return (
		<div class="drawing" ref={box} onPointerMove={point} onPointerLeave={() => setAt(undefined)}>
			<svg width={width} height={height} role="img" aria-label={`${title}: ${sums.join(', ')}`}>
				{y.ticks(4).map((tick) => (
					<g key={tick} class="grid" transform={`translate(0 ${y(tick)})`}>
						<line x1={margin.left} x2={width - margin.right} />
						<text x={margin.left - 8} dy="0.32em" text-anchor="end">
							{format(tick)}
						</text>
					</g>
				))}
				{labelsOf(x, width).map(({ text, left }) => (
					<text key={left} x={left} y={height - 6} text-anchor="middle">
						{text}
					</text>
				))}
				{at !== undefined && (
					<rect
						class="cursor"
						x={margin.left + at * step}
						y={margin.top}
						width={step}
						height={height - margin.top - margin.bottom}
					/>
				)}
				{kind === 'lines' ? (
					<Lines {...scales} series={series} complete={completeOf(times)} />
				) : (
					<Bars {...scales} series={series} />
				)}
			</svg>
			{at !== undefined && (
				<Readout at={at} time={times[at] ?? 0} series={series} format={format} isLeft={at > times.length / 2} />
			)}
		</div>
	);
}

/** Labels of the time axis: none covers the one before it, and the last stays in the picture. */
function labelsOf(x: Scales['x'], width: number): readonly { readonly text: string; readonly left: number }[] {
	const ticks = x.ticks(Math.max(2, Math.floor(width / tickDistance)));
	const texts = ticks.map(timeTick);
	const widest = characterWidth * Math.max(0, ...texts.map(({ length }) => length));
	const [first = new Date(0), second = first] = ticks;
	const every = Math.max(1, Math.ceil((widest + 2 * characterWidth) / Math.max(1, x(second) - x(first))));
	return ticks.flatMap((tick, at) =>
		at % every === 0 ? [{ text: texts[at] ?? '', left: Math.min(x(tick), width - widest / 2) }] : [],
	);
}

type Scales = ReturnType<typeof scalesOf>;

function scalesOf(
	kind: ChartProps['kind'],
	times: readonly number[],
	series: readonly Series[],
	width: number,
	height: number,
) {
	const most =
		kind === 'lines'
			? Math.max(0, ...series.flatMap(({ values }) => values))
			: Math.max(0, ...times.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)));
	const from = times[0] ?? 0;
	const slice = times.length > 1 ? (times[1] ?? 0) - from : 1;
	const inner = Math.max(1, width - margin.left - margin.right);
	return {
		x: scaleTime()
			.domain([from, from + slice * times.length])
			.range([margin.left, margin.left + inner]),
		y: scaleLinear()
			.domain([0, Math.max(1, most)])
			.nice(4)
			.range([height - margin.bottom, margin.top]),
		/** Pixels of one slice. */
		step: inner / Math.max(1, times.length),
	};
}

/** How many slices are over. The running one has no value yet that compares with the others. */
function completeOf(times: readonly number[]): number {
	const [first = 0, second = Number.POSITIVE_INFINITY] = times;
	const end = (times.at(-1) ?? 0) + second - first;
	return end > Date.now() && times.length > 2 ? times.length - 1 : times.length;
}

function Lines({ y, step, series, complete }: Scales & { series: readonly DrawnSeries[]; complete: number }) {
	const path = line<number>((_, at) => margin.left + (at + 0.5) * step, y).curve(curveMonotoneX);
	return (
		<>
			{series.map(({ name, values, className }) => (
				<path key={name} class={`line ${className}`} d={path(values.slice(0, complete)) ?? undefined} />
			))}
		</>
	);
}

function Bars({ y, step, series }: Scales & { series: readonly DrawnSeries[] }) {
	const slices = (series[0]?.values ?? []).map((_, at) => at);
	const layers = stack<number, DrawnSeries>()
		.keys(series)
		.value((at, { values }) => values[at] ?? 0)(slices);
	const gap = step > 4 ? Math.min(3, step / 5) : 0;
	return (
		<>
			{layers.map((layer) => (
				<g key={layer.key.name} class={`layer ${layer.key.className}`}>
					{layer.map(
						([from, to], at) =>
							to > from && (
								<rect
									key={at}
									x={margin.left + at * step + gap / 2}
									y={y(to)}
									width={Math.max(1, step - gap)}
									height={Math.max(0.5, y(from) - y(to))}
								/>
							),
					)}
				</g>
			))}
		</>
	);
}

function Readout({
	at,
	time,
	series,
	format,
	isLeft,
}: {
	at: number;
	time: number;
	series: readonly DrawnSeries[];
	format: (value: number) => string;
	/** Beside the left edge, so that it does not cover the slice. */
	isLeft: boolean;
}) {
	return (
		<div class={isLeft ? 'readout left' : 'readout'} aria-hidden="true">
			<p>{moment(time)}</p>
			{series.map(({ name, values, className }) => (
				<p key={name}>
					<span class={`swatch ${className}`} />
					{cut(name, maxNameLength)} <b>{format(values[at] ?? 0)}</b>
				</p>
			))}
		</div>
	);
}

interface Moment {
	readonly time: number;
	readonly at: number;
}

function ValueTable({ title, times, series }: Pick<ChartProps, 'title' | 'times' | 'series'>) {
	const columns: Column<Moment>[] = [
		{
			title: 'From',
			className: () => 'nowrap',
			value: ({ time }) => new Date(time).toISOString(),
			cell: ({ time }) => moment(time),
		},
		...series.map(
			({ name, values }): Column<Moment> => ({
				title: name,
				isNumber: true,
				value: ({ at }) => values[at] ?? 0,
				cell: ({ at }) => count(values[at] ?? 0),
			}),
		),
	];
	return (
		<Table
			caption={title}
			rows={times.map((time, at) => ({ time, at }))}
			rowKey={({ time }) => String(time)}
			empty=""
			pageSize={12}
			columns={columns}
		/>
	);
}

/** The width of an element in pixels, at all times. */
function useWidth(of: { readonly current: HTMLElement | null }): number {
	const [width, setWidth] = useState(640);
	useEffect(() => {
		const { current } = of;
		if (current === null) return;
		const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 640)));
		observer.observe(current);
		return () => observer.disconnect();
	}, [of]);
	return width;
}
