/** Made of `apps/dashboard/src/ui/tokens.css` by `tsx scripts/style-tokens.ts`: change it there. */
export const tokens = `:root {
color-scheme: light dark;
--page: #f7f7f5;
--surface: #ffffff;
--raised: #ffffff;
--sunken: #f1f1ee;
--hover: #eeeeea;
--ink: #17191c;
--soft: #545a62;
--line: #e3e3de;
--line-strong: #c6c7c1;
--accent: #1f55c4;
--accent-soft: #e6edfb;
--on-accent: #ffffff;
--good: #11694a;
--good-soft: #e0f3ea;
--warn: #855300;
--warn-soft: #fbf0d9;
--bad: #b3261e;
--bad-soft: #fce8e6;
--neutral: #525960;
--neutral-soft: #eceeef;
--series-0: #2a6be0;
--series-1: #d2571b;
--series-2: #14866a;
--series-3: #9443c2;
--series-4: #9a7400;
--series-5: #c93a6b;
--series-6: #3f7d23;
--series-7: #66727f;
--fill-good: #2f9a72;
--fill-warn: #d39a2d;
--fill-bad: #d8483f;
--fill-neutral: #98a1aa;
--fill-info: #4a83e6;
--shadow: 0 1px 2px rgb(20 22 26 / 5%), 0 2px 8px rgb(20 22 26 / 4%);
--shadow-high: 0 8px 32px rgb(20 22 26 / 18%);
--radius: 0.75rem;
--radius-small: 0.45rem;
--gap: 1.25rem;
--sans: "Inter", ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif;
--mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace;
--quick: 120ms ease-out;
}
@media (prefers-color-scheme: dark) {
:root {
--page: #0e1012;
--surface: #16191c;
--raised: #1d2125;
--sunken: #1b1f22;
--hover: #22272b;
--ink: #eceef0;
--soft: #a4acb5;
--line: #272c31;
--line-strong: #454c54;
--accent: #8db4ff;
--accent-soft: #1b2a47;
--on-accent: #0b1220;
--good: #6fd3a9;
--good-soft: #133326;
--warn: #e9ba62;
--warn-soft: #362a10;
--bad: #ff968d;
--bad-soft: #42201d;
--neutral: #aeb6be;
--neutral-soft: #262b30;
--series-0: #6ea0ff;
--series-1: #f08b54;
--series-2: #43c29d;
--series-3: #c68bea;
--series-4: #d6ae3a;
--series-5: #f27da4;
--series-6: #85c463;
--series-7: #98a4b0;
--fill-good: #35a67c;
--fill-warn: #c9942f;
--fill-bad: #dd5a51;
--fill-neutral: #6d767f;
--fill-info: #4a7fdd;
--shadow: none;
--shadow-high: 0 8px 32px rgb(0 0 0 / 60%);
}
}
@media (prefers-reduced-motion: reduce) {
:root {
--quick: 0s;
}
}
@media print {
:root {
color-scheme: light;
--page: #ffffff;
--shadow: none;
}
}`;
