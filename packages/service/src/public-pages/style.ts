import { tokens } from './tokens.ts';

/** Style of all pages. Colours and sizes are those of the dashboard. */
export const pageStyle = `${tokens}
*,*::before,*::after{box-sizing:border-box}
html{text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.6 var(--sans)}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:1px}
header{display:flex;flex-wrap:wrap;gap:.5rem 2rem;align-items:center;padding:.9rem clamp(1rem,4vw,2.5rem);background:var(--surface);border-bottom:1px solid var(--line)}
.brand{display:flex;gap:.6rem;align-items:baseline;color:var(--ink);font-weight:650;text-decoration:none}
.brand span{color:var(--soft);font-size:.875rem;font-weight:400}
nav ul{display:flex;flex-wrap:wrap;gap:.15rem .25rem;margin:0;padding:0;list-style:none}
nav a{display:block;padding:.25rem .6rem;border-radius:var(--radius-small);color:var(--soft);font-size:.9375rem;text-decoration:none}
nav a:hover{background:var(--hover);color:var(--ink)}
nav a[aria-current]{background:var(--accent-soft);color:var(--accent);font-weight:600}
main{max-width:54rem;margin:0 auto;padding:2rem clamp(1rem,4vw,2.5rem) 4rem}
h1{margin:0 0 .75rem;font-size:1.85rem;font-weight:650;letter-spacing:-.015em;line-height:1.25;overflow-wrap:anywhere}
h2{margin:2.5rem 0 .6rem;font-size:1.25rem;font-weight:650;line-height:1.3}
h3{margin:1.75rem 0 .4rem;font-size:1.0625rem;font-weight:650;overflow-wrap:anywhere}
p{margin:.6rem 0;max-width:46rem;overflow-wrap:anywhere}
.lede{color:var(--soft);font-size:1.1rem}.soft{color:var(--soft)}
code,pre{font-family:var(--mono);font-size:.875rem}
code{overflow-wrap:anywhere}
pre{margin:.75rem 0;padding:.85rem 1rem;background:var(--sunken);border:1px solid var(--line);border-radius:var(--radius-small);line-height:1.55;white-space:pre-wrap;line-break:anywhere}
.sample{user-select:all}
ul,ol{padding-left:1.35rem}li{margin:.2rem 0;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:minmax(7rem,max-content) 1fr;gap:.35rem 1.5rem;margin:.75rem 0}
dt{color:var(--soft)}dt:has(+dd>pre){padding-top:.7rem}dd pre{margin:0 0 .35rem}dd{margin:0;min-width:0;overflow-wrap:anywhere}
table{width:100%;margin:.75rem 0;border-collapse:collapse;font-size:.9375rem}
th,td{padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:break-word}
table code{overflow-wrap:break-word}
thead th{color:var(--soft);font-size:.8125rem;font-weight:600}
tbody th{font-weight:600}
.card{margin:1rem 0;padding:1rem 1.25rem;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);box-shadow:var(--shadow)}
.card>:first-child{margin-top:0}.card>:last-child{margin-bottom:0}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));gap:1rem;margin:1rem 0;padding:0;list-style:none}
.cards .card{margin:0}.cards>li>a{font-weight:600}
.method{display:inline-block;min-width:3.6rem;padding:.05rem .5rem;border-radius:var(--radius-small);background:var(--accent-soft);color:var(--accent);font:600 .8125rem/1.6 var(--mono);text-align:center}
.badge{display:inline-block;padding:0 .6rem;border-radius:1rem;background:var(--neutral-soft);color:var(--neutral);font-size:.8125rem;font-weight:600}
.good{background:var(--good-soft);color:var(--good)}.bad{background:var(--bad-soft);color:var(--bad)}
form{margin:1.25rem 0}label{display:block;margin:.6rem 0 .25rem;font-size:.9375rem;font-weight:600}
.row{display:flex;flex-wrap:wrap;gap:.6rem}
input{flex:1 1 16rem;width:100%;min-width:0;padding:.55rem .75rem;color:inherit;font:inherit;background:var(--surface);border:1px solid var(--line-strong);border-radius:var(--radius-small)}
button{padding:.55rem 1.1rem;color:var(--on-accent);font:inherit;font-weight:600;background:var(--accent);border:0;border-radius:var(--radius-small);cursor:pointer}
.error{color:var(--bad)}
pre.text{background:none;border:0;padding:0;font-family:var(--sans);font-size:1rem}
article{margin-top:1.5rem;padding-top:.5rem;border-top:1px solid var(--line)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media(max-width:40rem){nav{margin:0 -.6rem}dt:has(+dd>pre){padding-top:0}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.6rem}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}tbody,tr,th,td{display:block}tr{padding:.5rem 0;border-bottom:1px solid var(--line)}pre{font-size:.8125rem;padding:.75rem}th,td,table code{overflow-wrap:anywhere}th,td{padding:.1rem 0;border:0}
td[data-name]::before{content:attr(data-name) ": ";color:var(--soft)}}
@media(min-width:100rem){main{max-width:64rem}}
@media print{header,form,.skip{display:none}main{max-width:none;padding:0}pre,.card{break-inside:avoid}a{color:inherit}}`;
