/** Style of the report: light and dark, from 390 to 2560 pixels, and on paper. */
export const style = `
:root { color-scheme: light dark; --page: #fff; --card: #f6f7f6; --ink: #1b1f23; --soft: #545b63; --line: #d4d8dc;
	--blue: #2f6fb3; --red: #b3261e; --green: #17694b; --amber: #8a5a00; --grey: #6b737b }
@media (prefers-color-scheme: dark) { :root { --page: #14171a; --card: #1d2125; --ink: #e8eaec; --soft: #a7afb7;
	--line: #3a4047; --blue: #5b9bdc; --red: #ff8f86; --green: #6fd0a8; --amber: #e6b75c; --grey: #939ba3 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 3rem; background: var(--page); color: var(--ink);
	font: 16px/1.5 system-ui, sans-serif }
h1 { margin: 0 0 .25rem; font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere }
h2 { margin: 2.25rem 0 .75rem; font-size: 1.2rem }
h3 { margin: 0 0 .5rem; font-size: 1rem }
p { margin: .4rem 0; max-width: 46rem }
.soft, .scale, .axis, .none { color: var(--soft); font-size: .875rem }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: .75rem; margin: 1.25rem 0 0 }
.tile, .chart, .act li { padding: .9rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card) }
.tile dt { color: var(--soft); font-size: .875rem }
.tile dd { margin: 0; font-size: 1.6rem; font-weight: 650; font-variant-numeric: tabular-nums }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: .75rem }
.chart > svg { display: block; width: 100%; height: 7.5rem; border-bottom: 1px solid var(--line) }
.scale { margin: 0; line-height: 1.2 }
.axis { display: flex; justify-content: space-between; gap: 1rem; margin: .3rem 0 0; max-width: none }
.key { display: inline-block; width: .7rem; height: .7rem; margin: 0 .3rem 0 .5rem; border-radius: .15rem }
.bars { margin: 0; padding: 0; list-style: none }
.bars li { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; margin-bottom: .55rem; overflow-wrap: anywhere }
.bars b { font-weight: 600; font-variant-numeric: tabular-nums }
.bars svg { grid-column: 1 / -1; width: 100%; height: .45rem; border-radius: .2rem; background: var(--line) }
.blue { fill: var(--blue); background: var(--blue) } .red { fill: var(--red); background: var(--red) }
.green { fill: var(--green); background: var(--green) } .amber { fill: var(--amber); background: var(--amber) }
.grey { fill: var(--grey); background: var(--grey) }
.act { display: grid; grid-template-columns: minmax(0, 1fr); overflow-wrap: anywhere; gap: .75rem; margin: 0; padding: 0; list-style: none }
.act p { margin: .2rem 0 }
summary { margin-top: .5rem; cursor: pointer; color: var(--soft); font-size: .875rem }
:focus-visible { outline: 3px solid var(--blue); outline-offset: 2px }
code { font: .85em/1.45 ui-monospace, monospace; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; font-size: .875rem }
caption { padding: .25rem 0; text-align: left; color: var(--soft) }
th, td { padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
th { font-weight: 600 } tbody th { overflow-wrap: anywhere } .wide tbody th { min-width: 9rem } .wide td:last-child { white-space: nowrap }
ul ul, td ul { padding-left: 1.1rem; overflow-wrap: anywhere }
caption + thead th { vertical-align: bottom } table + table { margin-top: 1.5rem }
td.number { font-variant-numeric: tabular-nums; text-align: right; padding-right: 1rem }
th.number { text-align: right; padding-right: 1rem }
.bad { color: var(--red); font-weight: 600 } .good { color: var(--green); font-weight: 600 }
.doubt { color: var(--amber); font-weight: 600 }
@media (max-width: 46rem) {
	table.wide thead { display: block; position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden }
	table.wide, table.wide tbody, table.wide tr, table.wide td, table.wide th, table.wide caption { display: block }
	table.wide tr { padding: .5rem 0; border-bottom: 1px solid var(--line) }
	table.wide td, table.wide tbody th { display: flex; justify-content: space-between; gap: 1rem; padding: .1rem 0; border: 0;
		text-align: right; overflow-wrap: anywhere }
	table.wide td.block { display: block; text-align: left } .chart details { overflow-x: auto }
	table.wide tbody th { min-width: 0; font-size: 1rem; text-align: left }
	table.wide td::before { content: attr(data-name); color: var(--soft); text-align: left; flex: none }
}
@media print {
	:root { --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --blue: #2f6fb3; --red: #b3261e;
		--green: #17694b; --amber: #8a5a00; --grey: #6b737b }
	@page { margin: 15mm }
	body { max-width: none; padding: 0; font-size: 10pt }
	* { print-color-adjust: exact; -webkit-print-color-adjust: exact }
	.chart, .tile, .act li, tr { break-inside: avoid }
	.charts { grid-template-columns: 1fr 1fr } .tiles { grid-template-columns: repeat(5, 1fr) }
	h2, h3 { break-after: avoid } .appendix { break-before: page }
	thead { display: table-header-group } summary { display: none }
}
`;
