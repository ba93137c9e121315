// Parts that all views share. A view imports from here, and this brings the style sheet.
import './tokens.css';
import './ui.css';

export { navigate, queryWith, useQuery } from './address.ts';
export { type Amount, BarList } from './bar-list.tsx';
export { Chart, type ChartProps, type Series } from './chart.tsx';
export { Dialog } from './dialog.tsx';
export { Choice, Select, Switch, TextArea, TextField } from './fields.tsx';
export { bytes, count, cut, moment, roughly, share, timeOfDay } from './format.ts';
export { Icon } from './icon.tsx';
export { authorise, type Resource, readJson, sendJson, useResource } from './resource.ts';
export { mount, type NavigationGroup, type NavigationItem, Section, Shell, type ShellProps } from './shell.tsx';
export { Stat, type StatProps, Stats } from './stat.tsx';
export { Badge, Empty, Freshness, Loaded, Notice, Skeleton, Status, type Tone } from './states.tsx';
export { type Column, Table, type TableProps } from './table.tsx';
